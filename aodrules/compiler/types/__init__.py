"""The types of a plan: inferred, and verified. Nothing here is needed to play.

`plan_type` has the types, `type_rules` what operators and functions make of them, `cell_types` what cells hold,
`type_facts` what is known at a point of a plan; `infer_types` runs a plan over types, `verify_types` checks the result.
"""
