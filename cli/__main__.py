"""`python -m cli` is `henge`."""

import sys

from cli.main import main

sys.exit(main())
