"""What lies at each byte of a file of SQLite, read from the file alone: https://www.sqlite.org/fileformat.html.

It shares nothing with SQLite, so that a change of which nothing is seen can be told from a value that nobody looks at.
"""

from collections.abc import Iterable

HEADER, STRUCTURE, VALUE, FREE = "header of the file", "structure of a page", "value", "free space"
ROW_NUMBER = "number of a row"
"""A value only where a column of the table is another name for it, as in `event`."""
FILE_HEADER_BYTES = 100
INDEX_INTERIOR, TABLE_INTERIOR, INDEX_LEAF, TABLE_LEAF = 2, 5, 10, 13


def file_places(data: bytes, roots: Iterable[int]) -> list[str]:
    """What every byte belongs to; `roots` are the first pages of all tables and indexes."""
    return _Places(data).marked([1, *roots])


class _Places:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._page_size = 65536 if data[16:18] == b"\0\1" else self._number(16, 2)
        self._usable = self._page_size - data[20]
        # Whatever nothing is found in is free: pages that no tree reaches, and what is left between cells.
        self._places = [FREE] * len(data)

    def marked(self, roots: list[int]) -> list[str]:
        self._mark(0, FILE_HEADER_BYTES, HEADER)
        pages = list(roots)
        while pages:
            pages += self._mark_page(pages.pop())
        return self._places

    def _number(self, at: int, size: int) -> int:
        return int.from_bytes(self._data[at : at + size], "big")

    def _varint(self, at: int) -> tuple[int, int]:
        """A number of one to nine bytes, and where it ends."""
        value = 0
        for place in range(8):
            byte = self._data[at + place]
            value = value << 7 | byte & 0x7F
            if byte < 0x80:
                return value, at + place + 1
        return value << 8 | self._data[at + 8], at + 9

    def _mark(self, first: int, end: int, place: str) -> None:
        self._places[first:end] = [place] * (end - first)

    def _mark_page(self, number: int) -> list[int]:
        """Mark one page of a tree and what overflows from it; the pages below it."""
        base = (number - 1) * self._page_size
        header = base + (FILE_HEADER_BYTES if number == 1 else 0)
        kind, cells = self._data[header], self._number(header + 3, 2)
        below = []
        pointers = header + 8
        if kind in (INDEX_INTERIOR, TABLE_INTERIOR):
            below.append(self._number(header + 8, 4))
            pointers += 4
        self._mark(header, pointers + 2 * cells, STRUCTURE)
        for pointer in range(pointers, pointers + 2 * cells, 2):
            cell = base + self._number(pointer, 2)
            if kind in (INDEX_INTERIOR, TABLE_INTERIOR):
                below.append(self._number(cell, 4))
            self._mark_cell(kind, cell)
        block = self._number(header + 1, 2)
        while block:
            # Where the next free block lies, and how large this one is.
            self._mark(base + block, base + block + 4, STRUCTURE)
            block = self._number(base + block, 2)
        return below

    def _mark_cell(self, kind: int, cell: int) -> None:
        at = cell + 4 if kind in (INDEX_INTERIOR, TABLE_INTERIOR) else cell
        if kind == TABLE_INTERIOR:
            self._mark(cell, self._varint(at)[1], VALUE)
            return
        size, payload = self._varint(at)
        number = payload
        if kind == TABLE_LEAF:
            _, payload = self._varint(number)
        here = self._kept_in_the_page(kind, size)
        end = payload + here
        if here < size:
            self._mark_overflow(self._number(end, 4), size - here)
            end += 4
        self._mark(cell, end, VALUE)
        self._mark(number, payload, ROW_NUMBER)

    def _kept_in_the_page(self, kind: int, size: int) -> int:
        """How much of a payload stays in its page."""
        most = self._usable - 35 if kind == TABLE_LEAF else (self._usable - 12) * 64 // 255 - 23
        if size <= most:
            return size
        least = (self._usable - 12) * 32 // 255 - 23
        rest = least + (size - least) % (self._usable - 4)
        return rest if rest <= most else least

    def _mark_overflow(self, page: int, size: int) -> None:
        while size > 0:
            base = (page - 1) * self._page_size
            here = min(size, self._usable - 4)
            self._mark(base, base + 4 + here, VALUE)
            page, size = self._number(base, 4), size - here
