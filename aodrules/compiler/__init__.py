"""The fast engine: from checked rules through a plan to generated Python.

To be read in this order: `formulas` and `nodes` (what a plan is made of), `layout` (where everything lies in the list
of cells), `lower` (from checked rules to nodes; it begins in `lower.from_checked`), `passes` (what makes plans
cheaper), `blocks` (what asks is cut at its questions), `plan` (the whole), `codegen` (a plan as Python), `compile`
(that Python as a program), `runtime` (the game that runs it, and what generated code calls).
Beside the way: `visit` (walks over nodes), `cell_reads` (which cells of fields they mean), `readable` and
`source_listing` (generated code for people), `types` (for tests and other back ends).
"""
