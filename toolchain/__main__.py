"""Run the command line as `python -m toolchain`."""

from toolchain.cli import main

if __name__ == "__main__":
    main()
