"""`python -m pagemeter`."""

import sys

from pagemeter_command import main

if __name__ == "__main__":
    sys.exit(main())
