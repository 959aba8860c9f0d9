"""Every sentence that the service may say, collected from the sources: what is put into one is a `{0}`, `{1}`, ..

A text that is chosen from several (`"second" if .. else "seconds"`), or named first and put in later, is spelt out in
each of its forms. So a refusal that somebody adds tomorrow is found here without being listed anywhere.
"""

import ast
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import puntobanco

PACKAGE = Path(puntobanco.__file__).parent

OF_THE_TABLE = ("table/*_refusals.py", "table/refusals.py", "table/settings.py", "ledger/desk.py", "ledger/postings.py")
"""Refusals, which the service tells as they are."""
OF_THE_SERVICE = ("server/*.py",)
ELSEWHERE = ("tableau.py", "store/streams.py", "store/record.py", "fairness/log.py")
"""Where most of what is said is for whoever writes a program or keeps a record: only what is told is for people."""
FOR_THE_OPERATOR = frozenset(
    {"configuration", "setting_kinds", "description", "link", "logs", "metrics", "run", "several", "together"}
)
"""Modules of the service that speak to whoever runs it, in a terminal or a log."""
TELLING = frozenset(
    {
        "IssueMoney",
        "PauseTable",
        "Problem",
        "Refusal",
        "UnfitSettings",
        "Unlawful",
        "malformed",
        "not_allowed",
        "nothing_there",
        "refused",
        "too_often",
    }
)
"""What carries a text to people, be it a whole sentence or not."""
NOT_SAID = frozenset(
    {
        "AfterValidator",
        "AssertionError",
        "DeclarationError",
        "FastAPI",
        "Fault",
        "Field",
        "Meta",
        "StorageFault",
        "ValueError",
        "answers",
        "log",
        "optional_package",
        "text",
    }
)
"""Whatever stands within one of these is no sentence for people: a mistake of the program, a log, a description."""
DESCRIBING = frozenset({"description", "summary", "responses"})
NO_WORDS = re.compile(r"[^a-z]*|[a-z-]+(\{0\})?|Ruling [0-9]+|[A-Z][a-z]+", re.ASCII)
"""Reasons, ids and clauses, which stand beside the text."""
TOLD_IN_A_WORD = frozenset({"welcome"})

Spoken = dict[str, str]
"""By the text, where it is said."""
Part = tuple[str, bool]
"""A piece of a text, or, with True, how something is put in: `,` where its thousands are marked off."""
Names = dict[str, list[ast.expr]]
"""What a function calls by a name."""


def sentences() -> Spoken:
    found: Spoken = {}
    for folder in OF_THE_TABLE + OF_THE_SERVICE + ELSEWHERE:
        for path in sorted(PACKAGE.glob(folder)):
            if path.stem not in FOR_THE_OPERATOR:
                for parts in said_in(path, only_told=folder in ELSEWHERE):
                    found.setdefault(numbered(parts), path.name)
    return found


def with_thousands() -> dict[str, set[str]]:
    """Of every sentence of a table and of the ledger, what is put in with its thousands marked off, or as money."""
    found: dict[str, set[str]] = {}
    for folder in OF_THE_TABLE:
        for path in sorted(PACKAGE.glob(folder)):
            for parts in said_in(path, only_told=False):
                put_in = [how for how, is_put_in in parts if is_put_in]
                marked = {str(place) for place, how in enumerate(put_in) if how == "," or "money_in_words" in how}
                if marked:
                    found[numbered(parts)] = marked
    return found


def numbered(parts: tuple[Part, ...]) -> str:
    places = iter(range(len(parts)))
    return "".join([f"{{{next(places)}}}" if is_put_in else piece for piece, is_put_in in parts])


def said_in(path: Path, *, only_told: bool) -> Iterator[tuple[Part, ...]]:
    """Every sentence of a module; or only what it tells, where other sentences are for other readers."""
    yield from _walk(ast.parse(path.read_text()), {}, not only_told, is_told=False)


def _walk(node: ast.AST, names: Names, is_said: bool, *, is_told: bool) -> Iterator[tuple[Part, ...]]:
    is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    is_description = isinstance(node, ast.keyword) and node.arg in DESCRIBING
    if is_docstring or is_description or isinstance(node, ast.Assert):
        return
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.match_case):
        names = {**names, **_named(node)}
    if isinstance(node, ast.Call):
        called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if called in NOT_SAID:
            return
        is_told = called.lstrip("_") in TELLING
    if isinstance(node, ast.expr):
        found = [parts for parts in _texts(node, names) if _is_one(parts, is_said=is_said, is_told=is_told)]
        yield from found
        if found or isinstance(node, ast.JoinedStr):
            return
    children: list[ast.AST] = list(ast.iter_child_nodes(node))
    if isinstance(node, ast.Dict):
        described = [isinstance(key, ast.Constant) and key.value in DESCRIBING for key in node.keys]
        children = [value for value, is_about in zip(node.values, described, strict=True) if not is_about]
    for child in children:
        yield from _walk(child, names, is_said, is_told=is_told and isinstance(child, ast.expr | ast.keyword))


def _named(function: ast.AST) -> Names:
    """What the names of a function stand for, where that is always a text."""
    found: Names = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, []).append(node.value)
    return found


def _texts(node: ast.expr, names: Names) -> Iterator[tuple[Part, ...]]:
    """Every text that an expression may be; none where it is no text."""
    match node:
        case ast.Constant(value=str() as text):
            yield ((text, False),) if text else ()
        case ast.IfExp():
            one, other = list(_texts(node.body, names)), list(_texts(node.orelse, names))
            if one and other:
                yield from one
                yield from other
        case ast.JoinedStr():
            for pieces in product(*[list(_pieces(value, names)) for value in node.values]):
                yield tuple(part for piece in pieces for part in piece)
        case ast.BinOp(op=ast.Add()):
            for left, right in product(list(_texts(node.left, names)), list(_texts(node.right, names))):
                yield left + right
        case ast.Name() if node.id in names:
            # Each name once, or one that is made from itself would never end.
            without = {name: values for name, values in names.items() if name != node.id}
            each = [list(_texts(value, without)) for value in names[node.id]]
            if all(each):
                yield from [parts for texts in each for parts in texts]


def _pieces(value: ast.expr, names: Names) -> Iterator[tuple[Part, ...]]:
    if not isinstance(value, ast.FormattedValue):
        yield from _texts(value, names)
        return
    texts = list(_texts(value.value, names)) if value.format_spec is None else []
    how = ast.unparse(value.format_spec)[2:-1] if value.format_spec is not None else ast.unparse(value.value)
    yield from texts or [((how, True),)]


def _is_one(parts: tuple[Part, ...], *, is_said: bool, is_told: bool) -> bool:
    """A sentence begins like one and ends like one; what is told need only have words."""
    text = numbered(parts)
    if is_told:
        return not NO_WORDS.fullmatch(text) or text in TOLD_IN_A_WORD
    letters = "".join(piece for piece, is_put_in in parts if not is_put_in)
    is_sentence = " " in letters and text.endswith((".", "?")) and (text[0].isupper() or text[0] in "“`{")
    return is_said and is_sentence
