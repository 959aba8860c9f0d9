"""The keys of a record, in its data directory: one signs the heads of streams, the other seals the keys of shoes."""

import os
import secrets
import stat
from contextlib import suppress
from hashlib import blake2b
from hmac import digest as hmac_digest
from pathlib import Path
from typing import NamedTuple

from puntobanco.errors import Fault, InputError
from puntobanco.extras import optional_package

with optional_package("cryptography", "The record is signed"):
    from cryptography.exceptions import InvalidSignature, InvalidTag
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

SIGNING_KEY = "signing.key"
SEALING_KEY = "sealing.key"
KEY_BYTES = 32
NONCE_BYTES = 12


class Keys:
    """Signs with Ed25519 and seals with AES-256-GCM."""

    def __init__(self, signing: bytes, sealing: bytes) -> None:
        self._signing = Ed25519PrivateKey.from_private_bytes(signing)
        self._sealing = AESGCM(sealing)
        # A key of its own for marks: one key serves one purpose.
        self._marking = blake2b(key=hmac_digest(sealing, b"pb1/marks", "sha256"), digest_size=32)
        self.public_key = self._signing.public_key().public_bytes_raw()

    def sign(self, data: bytes) -> bytes:
        return self._signing.sign(data)

    def seal(self, secret: bytes, place: bytes) -> bytes:
        """The secret encrypted for one place in the record; it opens nowhere else."""
        nonce = secrets.token_bytes(NONCE_BYTES)
        return nonce + self._sealing.encrypt(nonce, secret, place)

    def mark(self, data: bytes) -> bytes:
        """A mark that only this key can make: quicker than a signature, for what nobody else has to check."""
        mark = self._marking.copy()
        mark.update(data)
        return mark.digest()

    def unseal(self, sealed: bytes, place: bytes) -> bytes:
        try:
            return self._sealing.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], place)
        except (InvalidTag, ValueError):
            raise Fault("unsealable", "Sealed keys in the record were changed, or sealed with another key.") from None


class PublicKey(NamedTuple):
    """All that somebody outside has of the keys of a record: what checks its signatures."""

    public_key: bytes

    @staticmethod
    def read(text: str) -> "PublicKey":
        try:
            key = bytes.fromhex(text)
            Ed25519PublicKey.from_public_bytes(key)
        except ValueError:
            raise InputError("bad-usage", f"A public key is {2 * KEY_BYTES} hexadecimal digits.") from None
        return PublicKey(key)


def is_signed(public_key: bytes, signature: bytes, data: bytes) -> bool:
    """Whether the owner of the public key has signed the data."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, data)
    except (InvalidSignature, ValueError):
        return False
    return True


def open_keys(folder: Path, *, new: bool = True) -> Keys:
    """The keys of a data directory, made where there are none yet; nobody but their owner may read them.

    Without `new` they must be there: a record that is only read has keys, and others would not be those.
    """
    return Keys(_key(folder / SIGNING_KEY, new), _key(folder / SEALING_KEY, new))


def _key(path: Path, new: bool) -> bytes:
    try:
        if not path.exists():
            if not new:
                what = "name the record's data directory with --data, or give the house's public key with --public-key"
                raise InputError("no-key-file", f"The key {path.name} is not in {str(path.parent)!r}: {what}.")
            _make_key(path)
        return _read_key(path)
    except OSError as error:
        raise Fault("keys", f"The key {path.name} of the data directory cannot be used: {error.strerror}.") from None


def _make_key(path: Path) -> None:
    """Make the key under another name first: under its own it is there whole or not at all, whenever this ends."""
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        try:
            os.write(descriptor, secrets.token_bytes(KEY_BYTES).hex().encode() + b"\n")
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        # Of several processes that make it at once, the first to get here has made it for all.
        with suppress(FileExistsError):
            os.link(unfinished, path)
    finally:
        os.unlink(unfinished)
    # The name of the file must last as long as what it holds: shoes sealed with a lost key cannot be dealt.
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _read_key(path: Path) -> bytes:
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise Fault("keys", f"The key {path.name} may be read by others: chmod 600 it, or think of it as known.")
    try:
        key = bytes.fromhex(path.read_text().strip())
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise Fault("keys", f"The key {path.name} is not {KEY_BYTES} bytes in hexadecimal.")
    return key
