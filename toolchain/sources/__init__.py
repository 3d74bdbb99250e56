"""Files in: tables and TOML with their places, raw values to model, drawings, and the project as a whole."""
