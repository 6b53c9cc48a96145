"""The commands of the command line, one module each: `add(parser)` and `run(parsed)`."""
