"""Where pictures come from, and how they become arrays."""
