"""Draw the app's icons for a home screen, web/public/icon-*.png, from the same shapes as its favicon.svg.

A pixel's colour follows from its distance to each shape, so that edges are smooth without a library that draws.
"""

import math
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

PUBLIC = Path(__file__).resolve().parent.parent / "web" / "public"
GROUND, PLAYER, BANKER, TIE = (0x10, 0x35, 0x2C), (0x5B, 0x9B, 0xEE), (0xEC, 0x6A, 0x5E), (0x4F, 0xC4, 0x87)
SIDE = 64.0
"""Of the drawing, in its own units."""

Shape = Callable[[float, float], float]
"""How far a point is outside; below zero inside."""


def square(radius: float) -> Shape:
    half = SIDE / 2

    def outside(x: float, y: float) -> float:
        across, down = abs(x - half) - half + radius, abs(y - half) - half + radius
        return math.hypot(max(across, 0), max(down, 0)) + min(max(across, down), 0) - radius

    return outside


def ring(middle: float, scale: float) -> Shape:
    x0, radius, width = SIDE / 2 + (middle - SIDE / 2) * scale, 15 * scale, 6 * scale
    return lambda x, y: abs(math.hypot(x - x0, y - SIDE / 2) - radius) - width / 2


def stroke(scale: float) -> Shape:
    (x1, y1), (x2, y2) = ((SIDE / 2 + (v - SIDE / 2) * scale for v in end) for end in ((25, 45), (39, 19)))
    across, down = x2 - x1, y2 - y1

    def outside(x: float, y: float) -> float:
        along = ((x - x1) * across + (y - y1) * down) / (across**2 + down**2)
        along = min(1.0, max(0.0, along))
        return math.hypot(x - x1 - along * across, y - y1 - along * down) - 2.5 * scale

    return outside


def drawn(pixels: int, *, corner: float, scale: float) -> bytes:
    shapes = [(square(corner), GROUND), (ring(24, scale), PLAYER), (ring(40, scale), BANKER), (stroke(scale), TIE)]
    unit, rows = SIDE / pixels, bytearray()
    for row in range(pixels):
        rows.append(0)
        for column in range(pixels):
            x, y = (column + 0.5) * unit, (row + 0.5) * unit
            red, green, blue, alpha = 0.0, 0.0, 0.0, 0.0
            for outside, colour in shapes:
                cover = min(1.0, max(0.0, 0.5 - outside(x, y) / unit))
                if alpha == 0.0:
                    red, green, blue, alpha = *map(float, colour), cover
                else:
                    red, green, blue = (
                        old + (new - old) * cover for old, new in zip((red, green, blue), colour, strict=True)
                    )
            rows += bytes((round(red), round(green), round(blue), round(alpha * 255)))
    return picture(pixels, bytes(rows))


def picture(pixels: int, rows: bytes) -> bytes:
    def part(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", pixels, pixels, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", zlib.compress(rows, 9)) + part(b"IEND", b"")


def main() -> None:
    for pixels in (192, 512):
        (PUBLIC / f"icon-{pixels}.png").write_bytes(drawn(pixels, corner=14, scale=1))
    # A system that cuts icons to its own shape takes the ground to the edge, and the drawing well within.
    (PUBLIC / "icon-maskable.png").write_bytes(drawn(512, corner=0, scale=0.8))
    (PUBLIC / "icon-apple.png").write_bytes(drawn(180, corner=0, scale=0.9))


if __name__ == "__main__":
    main()
