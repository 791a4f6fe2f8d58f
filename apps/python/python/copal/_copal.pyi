"""The compiled part of copal. Use `copal` instead."""

__version__: str

class CopalError(Exception):
    """What all exceptions of copal are."""

class PageError(CopalError):
    """A page cannot be read."""

class NothingFoundError(CopalError):
    """The pages have nothing of what was asked for."""

class SiteChangedError(CopalError):
    """The site has changed too much for a repair."""

class Domain:
    """What records are about: the attributes that they have, and how these are recognised.

    Domains are loaded by the name of a built-in one (see `domains()`), or by the path of a `domain.yaml`.
    """

    def __init__(self, name: str) -> None: ...
    @property
    def name(self) -> str:
        """The name or the path that it was loaded by."""

def domains() -> list[str]:
    """The names of the built-in domains."""

_Input = tuple[str | bytes, str | None]

class Options:
    def __init__(self, **options: object) -> None: ...

class RawAnswer:
    @staticmethod
    def taken(name: str, json: bytes, records: bytes, cells: bytes) -> RawAnswer: ...
    def json(self) -> bytes: ...
    def records_stream(self) -> bytes: ...
    def cells_stream(self) -> bytes: ...
    def records_capsule(self) -> object: ...
    def cells_capsule(self) -> object: ...

class Wrapper:
    def __init__(self, text: str) -> None: ...
    @property
    def notes(self) -> list[str]: ...
    @property
    def columns(self) -> list[str]: ...
    def apply(self, content: str | bytes, url: str | None, options: Options) -> RawAnswer: ...
    def check(self, inputs: list[_Input], options: Options) -> str: ...
    def repair(self, inputs: list[_Input], min_pages: int, options: Options) -> tuple[Wrapper, str]: ...

def extract(content: str | bytes, url: str | None, options: Options) -> RawAnswer: ...
def objects(inputs: list[_Input], options: Options) -> list[RawAnswer]: ...
def learn(
    inputs: list[_Input], columns: list[str], rename: list[tuple[str, str]], options: Options
) -> Wrapper: ...
