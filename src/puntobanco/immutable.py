"""Maps that nobody who holds one can change.

`FrozenMap` is a dict that refuses to be changed: for the few entries of a slip or a felt. `PersistentMap` is for the
stakes of thousands of patrons: a new map with one entry changed costs the same at any size, and the old one stays
as it was. Both can be compared with any mapping, pickled and hashed.

>>> before = PersistentMap[str, int]()
>>> after = before.set("anna", 100)
>>> dict(before), dict(after)
({}, {'anna': 100})
"""

from collections.abc import Hashable, Iterator, Mapping
from itertools import chain
from typing import Any, NoReturn, TypeVar

Key = TypeVar("Key", bound=Hashable)
TextKey = TypeVar("TextKey", bound=str)
Value = TypeVar("Value")

WIDTH = 32
LEAVES = WIDTH * WIDTH
"""In so many leaves even 100,000 entries lie a hundred to a leaf, which is copied in a microsecond."""


class FrozenMap(dict[Key, Value]):
    """A dict that cannot be changed."""

    __slots__ = ()

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("This map cannot be changed.")

    __setitem__ = __delitem__ = clear = pop = popitem = setdefault = update = __ior__ = _refuse

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[type["FrozenMap[Key, Value]"], tuple[dict[Key, Value]]]:
        return FrozenMap, (dict(self),)


class PersistentMap(Mapping[TextKey, Value]):
    """A map from texts of which changed copies are cheap. It is read in the order of its keys, however it came about.

    The entries lie in WIDTH x WIDTH leaves; a change copies one leaf and two rows, and shares all the rest.
    """

    __slots__ = ("_rows", "_size")

    _rows: list[list[dict[TextKey, Value]]]
    _size: int

    def __init__(self, entries: Mapping[TextKey, Value] | None = None) -> None:
        empty: dict[TextKey, Value] = {}
        self._rows = [[empty] * WIDTH] * WIDTH
        self._size = 0
        if entries:
            self._rows = [[{} for _ in range(WIDTH)] for _ in range(WIDTH)]
            self._size = len(entries)
            for key, value in entries.items():
                row, leaf = divmod(hash(key) % LEAVES, WIDTH)
                self._rows[row][leaf][key] = value

    def __getitem__(self, key: TextKey) -> Value:
        place = hash(key) % LEAVES
        return self._rows[place // WIDTH][place % WIDTH][key]

    def get(self, key: TextKey, default: Any = None) -> Any:
        """What `Mapping.get` gives, without the detour over an exception: most wagers ask for a patron who is new."""
        place = hash(key) % LEAVES
        return self._rows[place // WIDTH][place % WIDTH].get(key, default)

    def __iter__(self) -> Iterator[TextKey]:
        return iter(sorted(chain.from_iterable(chain.from_iterable(self._rows))))

    def __len__(self) -> int:
        return self._size

    def in_order(self) -> dict[TextKey, Value]:
        """A dictionary of its own for the caller, in the order of the keys: quicker than to read entry by entry."""
        entries: dict[TextKey, Value] = {}
        for row in self._rows:
            for leaf in row:
                if leaf:
                    entries.update(leaf)
        return {key: entries[key] for key in sorted(entries)}

    def set(self, key: TextKey, value: Value) -> "PersistentMap[TextKey, Value]":
        """The map with this entry added or changed."""
        place = hash(key) % LEAVES
        changed = self._rows[place // WIDTH][place % WIDTH].copy()
        changed[key] = value
        return self._with(place, changed)

    def without(self, key: TextKey) -> "PersistentMap[TextKey, Value]":
        """The map without this entry, which must be there."""
        place = hash(key) % LEAVES
        changed = self._rows[place // WIDTH][place % WIDTH].copy()
        del changed[key]
        return self._with(place, changed)

    def _with(self, place: int, leaf: dict[TextKey, Value]) -> "PersistentMap[TextKey, Value]":
        rows = self._rows.copy()
        row = rows[place // WIDTH] = rows[place // WIDTH].copy()
        other = object.__new__(PersistentMap)
        other._rows, other._size = rows, self._size + len(leaf) - len(row[place % WIDTH])
        row[place % WIDTH] = leaf
        return other

    def __hash__(self) -> int:
        return hash(frozenset(self.items()))

    def __repr__(self) -> str:
        return f"PersistentMap({dict(self)!r})"

    def __reduce__(self) -> tuple[type["PersistentMap[TextKey, Value]"], tuple[dict[TextKey, Value]]]:
        return PersistentMap, (dict(self),)
