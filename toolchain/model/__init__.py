"""What a game is made of: frozen dataclasses, no files, no drawing."""
