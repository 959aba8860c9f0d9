"""The cookie that holds a session: what it looks like on the way out, and how it is read on the way in."""

import re

COOKIE = "pb_session"

# 256 bits as `secrets.token_urlsafe(32)` writes them: nothing else is worth a look into the database.
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


def looks_like_token(text: str) -> bool:
    return _TOKEN.fullmatch(text) is not None


def session_cookie(token: str, lasts_milliseconds: int, *, https: bool) -> str:
    """The value of a Set-Cookie header.

    >>> session_cookie("token", 60_000, https=True)
    'pb_session=token; Max-Age=60; Path=/; HttpOnly; SameSite=Strict; Secure'
    """
    secure = "; Secure" if https else ""
    return f"{COOKIE}={token}; Max-Age={lasts_milliseconds // 1000}; Path=/; HttpOnly; SameSite=Strict{secure}"


def no_session_cookie(*, https: bool) -> str:
    """The value of a Set-Cookie header that takes the cookie away."""
    return session_cookie("", 0, https=https)


def token_in(cookies: str | None) -> str | None:
    """The token in a Cookie header; none where two sessions are claimed, of which one may have been planted.

    >>> token_in("theme=dark; pb_session=" + "x" * 43) == "x" * 43
    True
    """
    if cookies is None:
        return None
    pairs = (pair.strip().partition("=") for pair in cookies.split(";"))
    tokens = {value for name, _, value in pairs if name == COOKIE}
    token = tokens.pop() if len(tokens) == 1 else ""
    return token if looks_like_token(token) else None
