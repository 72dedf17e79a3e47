"""What is raised where evidence, or vectors, cannot be used."""


class Defect(Exception):
    """What a file holds cannot be used; the message names what is wrong with it."""
