"""Commands with packages taken away: the core works without any, the rest ends in a sentence that names the extra."""

import subprocess
import sys
from pathlib import Path

import pytest

from puntobanco.cli import COMMANDS
from puntobanco.extras import EXTRAS, IMPORTED_AS

# Only what this allows can be imported, whatever else is installed beside it.
TAKE_AWAY = """
import sys
from importlib import import_module

class Gone:
    def find_spec(self, name, path=None, target=None):
        if {gone}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Gone())
"""
RUN_COMMAND = "from puntobanco.cli import main; sys.exit(main(sys.argv[1:]))"
# What rich itself needs. Of the rest rich tries some, and goes on without.
CORE = {"puntobanco", "rich", "markdown_it", "mdurl", "pygments"}
ONLY_THE_CORE = f"name.partition('.')[0] not in sys.stdlib_module_names | {CORE}"

CORE_COMMANDS = [
    ("games",),
    ("rules", "six-star"),
    ("settle", "six-star", "P 9f Tf | B 9f Sf", "--wager", "tie=100"),
    ("odds", "manila"),
    ("removal", "manila"),
    ("compare", "manila:decks=6", "manila:decks=8"),
    ("counting", "manila", "tie", "--shoes", "2"),
    ("parsheet", "manila", "-o", "manila.html"),
    ("simulate", "manila", "--shoes", "100"),
    ("systems", "manila", "--list"),
    ("roads", "BBPTP"),
    ("play", "manila"),
    ("verify", str(Path(__file__).parents[1] / "fairness" / "golden" / "worked-example.json")),
    ("rng", "dump", "--shoes", "1", "--game", "manila"),
]
AUDIT = ("audit", "--data", "data")
IMPORT = ("import", __file__, "--data", "data")
EXPORT = ("export", "--database", "postgresql://127.0.0.1/record")
SERVE = ("serve", "--data", "data", "--port", "0")
STAFF = ("staff", "add", "Mei Tan", "--role", "dealer", "--data", "data")
TABLE = ("table", "add", "main", "--game", "manila", "--data", "data")
PDF_SHEET = ("parsheet", "manila", "-o", "x.pdf")
NEEDING = [
    ("matplotlib", "Charts are drawn", ("removal", "manila", "--plot", "x.png")),
    ("matplotlib", "Charts are drawn", ("counting", "manila", "tie", "--shoes", "2", "--plot", "x.svg")),
    ("matplotlib", "Charts are drawn", ("simulate", "manila", "--shoes", "100", "--plot", "x.pdf")),
    ("matplotlib", "Charts are drawn", ("systems", "manila", "--sessions", "2", "--plot", "x.png")),
    ("fpdf2", "PDF files are made", PDF_SHEET),
    ("numpy", "Sessions are played", ("systems", "manila", "--sessions", "2")),
    ("pyarrow", "Rounds are written", ("simulate", "manila", "--shoes", "100", "--out", "x.parquet")),
    ("distributed", "Clusters are reached", ("simulate", "manila", "--shoes", "10", "--engine", "dask://127.0.0.1:1")),
    ("msgspec", "The record is written", AUDIT),
    ("cryptography", "The record is signed", AUDIT),
    ("sqlalchemy", "The tables of the record are declared", AUDIT),
    ("alembic", "Databases are brought up to date", AUDIT),
    ("sqlalchemy", "The tables of the record are declared", IMPORT),
    ("alembic", "Databases are brought up to date", IMPORT),
    *(("msgspec", "The record is written", command) for command in (IMPORT, EXPORT, SERVE, STAFF, TABLE)),
    *(("alembic", "Databases are brought up to date", command) for command in (SERVE, STAFF, TABLE)),
    ("structlog", "Logs are written", SERVE),
    ("uvicorn", "Requests are answered", SERVE),
    ("fastapi", "Requests are answered", SERVE),
    ("picows", "Sockets are served", SERVE),
    ("prometheus-client", "Metrics are counted", SERVE),
    ("aiosqlite", "People and their sessions are kept", SERVE),
    *(("argon2-cffi", "Passwords are kept", command) for command in (SERVE, STAFF)),
    ("asyncpg", "PostgreSQL is reached", EXPORT),
]
# There is no record without the packages of its extra.
RECORD_COMMANDS = {"audit", "export", "import", "serve", "staff", "table"}
# The last two make the service quicker where they are installed; httpx is what its client needs.
NO_COMMAND_NEEDS = {"gymnasium", "pandas", "httpx", "httptools", "uvloop"}


def without(gone: str, code: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    program = TAKE_AWAY.format(gone=gone) + code
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        input="quit\n",
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=120,
    )


def sentence(package: str, work: str) -> str:
    return f"{work} with {package}, which is not installed: pip install '.[{EXTRAS[package]}]' in the checkout."


def test_every_command_and_every_package_is_tried() -> None:
    assert {arguments[0] for arguments in CORE_COMMANDS} == set(COMMANDS) - RECORD_COMMANDS
    assert {arguments[0] for _, _, arguments in NEEDING} >= RECORD_COMMANDS
    assert {package for package, _, _ in NEEDING} | NO_COMMAND_NEEDS == set(EXTRAS)


@pytest.mark.parametrize("arguments", CORE_COMMANDS, ids=lambda arguments: arguments[0])
def test_the_core_works_with_rich_alone(arguments: tuple[str, ...], tmp_path: Path) -> None:
    done = without(ONLY_THE_CORE, RUN_COMMAND, *arguments, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


@pytest.mark.parametrize(("package", "work", "arguments"), NEEDING, ids=lambda value: str(value[0]))
def test_a_missing_package_is_one_sentence_before_any_work(
    package: str, work: str, arguments: tuple[str, ...], tmp_path: Path
) -> None:
    module = IMPORTED_AS.get(package, package)
    done = without(f"name.partition('.')[0] == {module!r}", RUN_COMMAND, *arguments, folder=tmp_path)
    assert done.stderr == f"puntobanco: {sentence(package, work)}\n"
    assert (done.returncode, done.stdout) == (1, "")
    assert not list(tmp_path.iterdir())


def test_the_fonts_of_a_pdf_are_missed_before_any_work(tmp_path: Path) -> None:
    done = without("name.partition('.')[0] == 'matplotlib'", RUN_COMMAND, *PDF_SHEET, folder=tmp_path)
    assert done.stderr == f"puntobanco: {sentence('matplotlib', 'The fonts of PDF files come')}\n"
    assert (done.returncode, done.stdout, list(tmp_path.iterdir())) == (1, "", [])


def test_with_the_core_alone_the_same_commands_end_in_the_same_sentences(tmp_path: Path) -> None:
    for arguments in dict.fromkeys(arguments for _, _, arguments in NEEDING):
        done = without(ONLY_THE_CORE, RUN_COMMAND, *arguments, folder=tmp_path)
        # Of several packages the first that is missed is told; the extra that it names brings them all.
        told = [f"puntobanco: {sentence(package, work)}\n" for package, work, each in NEEDING if each == arguments]
        assert done.returncode == 1
        assert done.stderr in told


@pytest.mark.parametrize(
    ("module", "package", "work"),
    [
        ("environment", "gymnasium", "Environments are made"),
        ("strategies.sessions", "numpy", "Sessions are played"),
        ("strategies.session_columns", "numpy", "Sessions are played"),
        ("strategies.session_results", "numpy", "Sessions are played"),
        ("parsheet.printed", "fpdf2", "PDF files are made"),
        ("table.codec", "msgspec", "The record of a table is written"),
        ("store.keys", "cryptography", "The record is signed"),
        ("store.schema", "sqlalchemy", "The tables of the record are declared"),
        ("store.rows", "msgspec", "The record is written"),
        ("server.metrics", "prometheus-client", "Metrics are counted"),
    ],
)
def test_a_module_that_needs_a_package_says_so_when_it_is_imported(
    module: str, package: str, work: str, tmp_path: Path
) -> None:
    code = f"""
from puntobanco.errors import Fault
try:
    import_module("puntobanco.{module}")
except ImportError as error:
    assert isinstance(error, Fault)
    print(error)
"""
    done = without(ONLY_THE_CORE, code, folder=tmp_path)
    assert (done.stdout.strip(), done.stderr) == (sentence(package, work), "")


def test_every_other_module_is_imported_with_the_core_alone(tmp_path: Path) -> None:
    code = """
import pkgutil
import puntobanco
from puntobanco.errors import MissingPackage
for module in pkgutil.walk_packages(puntobanco.__path__, "puntobanco."):
    if module.name != "puntobanco.__main__":
        try:
            import_module(module.name)
        except MissingPackage:
            print(module.name.removeprefix("puntobanco."))
"""
    done = without(ONLY_THE_CORE, code, folder=tmp_path)
    assert done.stderr == ""
    found = set(done.stdout.split())
    # Of the record and the service only the settings and where things lie are known without their extra.
    of_the_server = {name for name in found if name.startswith(("store.", "server."))}
    assert not of_the_server & {"server.configuration", "server.setting_kinds", "store.places"}
    assert found - of_the_server == {
        "client",
        "environment",
        "parsheet.printed",
        "strategies.session_columns",
        "strategies.session_report",
        "strategies.session_results",
        "strategies.sessions",
        "table.codec",
    }
