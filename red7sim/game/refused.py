"""What is refused because of what was given: a switch, a name, a number, a file, a card."""


class InputError(ValueError):
    """Something given is not allowed; the message is one line that names it and what is allowed."""
