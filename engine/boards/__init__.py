"""The boards that Henge brings along: board files, and `layout`, which they are made from."""
