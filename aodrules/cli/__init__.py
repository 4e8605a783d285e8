"""The command line: parses arguments, calls the public modules, prints."""
