"""What is raised where evidence cannot be used."""


class Defect(Exception):
    """Evidence that cannot be used; the message names what is wrong with it."""
