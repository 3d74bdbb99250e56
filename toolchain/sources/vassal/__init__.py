"""What other people's modules and saved games hold: archives, build files, pieces, commands. Whatever is read can be
written again byte for byte.
"""
