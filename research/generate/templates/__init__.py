"""The templates: every module here fills base.TEMPLATES when it is imported."""
