"""From a plan to Python syntax trees with the places of the YAML they came from."""
