"""`python -m puntobanco`, the same as the command."""

import sys

from puntobanco.cli import main

sys.exit(main())
