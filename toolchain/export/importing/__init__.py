"""A module of anybody becomes a project: what can be carried is, and the rest is listed."""
