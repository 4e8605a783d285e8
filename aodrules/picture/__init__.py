"""A position as a picture: from what a seat may know, and a layout if the rules have one, to a scene of keyed nodes.

First `items` (what lies in a cell), then `tokens` and `slots` (how it is shown), `automatic` and `arranged` (where it
stands), `scene` (the nodes, and what differs between two scenes) and `svg_text` (a scene as SVG). `picture` keeps what
did not change from one position to the next.
"""
