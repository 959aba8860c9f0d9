"""HMAC_DRBG with SHA-256 (NIST SP 800-90A, 10.1.2), without reseeding and without prediction resistance."""

from hmac import digest

HASH = "sha256"


class HmacDrbg:
    """A generator whose whole output follows from what it is begun with."""

    def __init__(self, entropy: bytes, nonce: bytes, personalisation: bytes = b"") -> None:
        self._key, self._value = b"\x00" * 32, b"\x01" * 32
        self._update(entropy + nonce + personalisation)

    def _update(self, provided: bytes) -> None:
        for separator in (b"\x00", b"\x01") if provided else (b"\x00",):
            self._key = digest(self._key, self._value + separator + provided, HASH)
            self._value = digest(self._key, self._value, HASH)

    def generate(self, size: int) -> bytes:
        """The next bytes, as one request: two requests of half the size give other bytes."""
        output = b""
        while len(output) < size:
            self._value = digest(self._key, self._value, HASH)
            output += self._value
        self._update(b"")
        return output[:size]
