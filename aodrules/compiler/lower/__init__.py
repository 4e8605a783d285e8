"""From checked rules to a plan: every look-up done, the state laid out."""
