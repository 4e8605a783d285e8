"""The documents here are wrong on purpose: no scenarios or properties are collected from them."""

collect_ignore_glob = ["**/*.yaml", "*.yaml", "*/*.yaml", "*/*/*.yaml"]
