"""Makes the networks that `vision` runs: composed pictures, training, export. Needs the group "train"."""
