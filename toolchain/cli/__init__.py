"""The command line: one short function per command."""


def main() -> None:
    """Run the command line."""
    raise NotImplementedError
