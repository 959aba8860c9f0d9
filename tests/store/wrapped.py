"""A connection to SQLite as a class of ours, whose methods a test can change."""

from pathlib import Path
from typing import Any

from puntobanco.store.sqlite import connect


class Wrapped:
    """Does what the connection does."""

    def __init__(self, path: Path) -> None:
        self.opened = connect(path)

    def execute(self, statement: str, values: Any = ()) -> Any:
        return self.opened.execute(statement, values)

    def executemany(self, statement: str, values: Any) -> Any:
        return self.opened.executemany(statement, values)

    def close(self) -> None:
        self.opened.close()
