"""A PDF file as the tests read it: its objects, its fonts, and the text of its pages."""

import re
import zlib

OBJECT = re.compile(rb"(\d+) 0 obj\n(.*?)(?:\nstream\n(.*?)\nendstream)?\nendobj", re.DOTALL)
SHOWN = re.compile(rb"/(F\d+) [\d.]+ Tf|\((.*?)(?<!\\)((?:\\\\)*)\) ?Tj", re.DOTALL)
ESCAPED = {b"r": b"\r", b"n": b"\n", b"t": b"\t"}


class PdfFile:
    def __init__(self, data: bytes) -> None:
        self.data = data
        found = OBJECT.findall(data)
        self.objects = {int(number): dictionary for number, dictionary, _ in found}
        self.streams = {int(number): self._unpacked(stream) for number, _, stream in found if stream}

    @staticmethod
    def _unpacked(stream: bytes) -> bytes:
        try:
            return zlib.decompress(stream)
        except zlib.error:
            return stream

    def of_type(self, name: bytes) -> list[bytes]:
        """The dictionaries of this type."""
        return [each for each in self.objects.values() if re.search(rb"/Type /%s\b" % name, each)]

    def named(self, dictionary: bytes, name: bytes) -> int:
        """The number of the object that the dictionary has under this name."""
        (number,) = re.findall(rb"/%s \[?(\d+) 0 R" % name, dictionary)
        return int(number)

    @property
    def fonts_of_pages(self) -> dict[bytes, bytes]:
        """The fonts that the pages are set in, by the names that they have there."""
        names = re.findall(rb"/(F\d+) (\d+) 0 R", b"\n".join(self.objects.values()))
        return {name: self.objects[int(number)] for name, number in names}

    @property
    def pages(self) -> list[str]:
        """The text of each page, in the order in which it is set, a piece a line."""
        letters = {name: self._letters(font) for name, font in self.fonts_of_pages.items()}
        return [self._text(self.streams[self.named(page, b"Contents")], letters) for page in self.of_type(b"Page")]

    def _letters(self, font: bytes) -> dict[int, str]:
        table = self.streams[self.named(font, b"ToUnicode")]
        pairs = re.findall(rb"^<([0-9A-F]{4})> <([0-9A-F]+)>$", table, re.MULTILINE)
        return {int(code, 16): bytes.fromhex(text.decode()).decode("utf-16-be") for code, text in pairs}

    @staticmethod
    def _text(contents: bytes, letters: dict[bytes, dict[int, str]]) -> str:
        font, pieces = b"", []
        for chosen, text, slashes in SHOWN.findall(contents):
            if chosen:
                font = chosen
                continue
            plain = re.sub(rb"\\(.)", lambda found: ESCAPED.get(found[1], found[1]), text + slashes, flags=re.DOTALL)
            codes = [int.from_bytes(plain[at : at + 2]) for at in range(0, len(plain), 2)]
            pieces.append("".join(letters[font][code] for code in codes))
        return "\n".join(pieces)
