"""The `henge` command: one module for each of its sub-commands, put together in `cli.main`."""

__version__ = "0.1.0"
