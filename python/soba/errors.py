"""What the library refuses, as Python exceptions."""
import re

__all__ = ["FormatError", "ResourceError"]

_PLACE = re.compile(r"(?P<file>.+?):(?P<line>\d+)(?::(?P<column>\d+))?: ")


class FormatError(ValueError):
    """A file that cannot be read as what it should be.

    `file`, `line` and `column` say where, as far as that is known; lines and columns count from 1.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "bad.libsvm")
    >>> _ = path.write_text("1 1:0.5\\n2 1:x\\n")
    >>> import soba
    >>> try:
    ...     soba.run(path, learner="sobadiag")
    ... except soba.FormatError as error:
    ...     print(error.line, error.column)
    2 5
    """

    def __init__(self, message, file=None, line=None, column=None):
        super().__init__(message)
        self.file, self.line, self.column = file, line, column

    def __reduce__(self):
        return FormatError, (str(self), self.file, self.line, self.column)


class ResourceError(RuntimeError):
    """The machine or a limit refused: memory, disk, a lock, too many decisions that wait.

    >>> issubclass(ResourceError, RuntimeError)
    True
    """


def make(kind, option, message):
    """The exception for an error of the library, whose options are keywords here."""
    if option and message.startswith(option):
        message = option.replace("-", "_") + message[len(option):]
    if kind == "resource":
        return ResourceError(message)
    place = _PLACE.match(message) if kind == "input" else None
    if place is None:
        return ValueError(message)
    column = place["column"]
    return FormatError(message, place["file"], int(place["line"]), column and int(column))
