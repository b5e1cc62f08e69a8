"""The program as a whole: help, exit codes, streams, signals."""

import os
import re
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
Write = Callable[[str, str], Path]

PROGRAM = (sys.executable, "-c", "from trainpolicy.cli.main import main; main()")
TRAIN_JOB = """apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: a}
spec: {runtimeRef: {name: deepspeed-distributed}}
"""


def test_the_version_is_that_of_the_package(run: Run, root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert run("--version") == (0, f"trainpolicy {project['version']}\n", "")


def test_the_version_needs_neither_engine_nor_yaml() -> None:
    code = """
import sys
from trainpolicy.cli.main import main
try:
    main(["--version"])
except SystemExit:
    print([name for name in sys.modules if name == "yaml" or name.startswith("trainpolicy.engine")])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[1:] == ["[]"]


COMMANDS = [
    ("evaluate",),
    ("explain",),
    ("rules", "list"),
    ("rules", "show"),
    ("rules", "profiles"),
    ("rules", "parameters"),
    ("runtimes", "list"),
    ("runtimes", "show"),
    ("completion",),
]


@pytest.mark.parametrize("command", [(), ("rules",), ("runtimes",), *COMMANDS], ids=" ".join)
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_has_an_example(run: Run, command: tuple[str, ...], option: str) -> None:
    done = run(*command, option)
    assert (done.code, done.err) == (0, "")
    assert re.search(rf"Example:\n +.*trainpolicy {' '.join(command) or 'evaluate'} ?", done.out)


def test_without_a_command_there_is_help(run: Run) -> None:
    assert run() == run("--help")


WRONG: list[tuple[tuple[str, ...], str]] = [
    (("evalute",), "trainpolicy: no such command `evalute`\n  help: did you mean `evaluate`?\n"),
    (("evaluate",), "trainpolicy evaluate: missing argument 'FILE…'\n  help: try `trainpolicy evaluate --help`\n"),
    (
        ("completion",),
        (
            "trainpolicy completion: missing argument '{bash|zsh|fish}'. Choose from: bash, zsh, fish\n"
            "  help: try `trainpolicy completion --help`\n"
        ),
    ),
    (("evaluate", "gone.yaml", "b"), "gone.yaml: no such file or folder\nb: no such file or folder\n"),
    (
        ("evaluate", "a.yaml", "--profile", "defalt"),
        "unknown profile `defalt`\n  help: did you mean `default`?\n",
    ),
    (
        ("evaluate", "a.yaml", "--profile", "p/mine.yaml"),
        "p/mine.yaml: no such profile file\n  help: --profile takes a name or a file\n",
    ),
    (
        ("evaluate", "a.yaml", "--rules", "nowhere"),
        "nowhere: no such folder\n  help: --rules takes a folder with a ruleset.yaml\n",
    ),
    (
        ("evaluate", "a.yaml", "--rules", "a.yaml"),
        "a.yaml: not a folder\n  help: --rules takes a folder with a ruleset.yaml\n",
    ),
    (
        ("evaluate", "a.yaml", "--set", "minWorkers", "--set", "=1"),
        (
            "`--set minWorkers` is not of the form name=value\n  help: write --set name=value\n"
            "`--set =1` is not of the form name=value\n  help: write --set name=value\n"
        ),
    ),
    (
        ("evaluate", "a.yaml", "--set", "minWorkers=1", "--set", "minWorkers=2"),
        "`--set` gives `minWorkers` two values\n  help: give it once\n",
    ),
    (("explain", "a.yaml", "--job", "nod"), "no job `nod`\n  help: did you mean `node`?\n"),
    (
        ("explain", "a.yaml", "--job", "node", "--container", "zzz"),
        "no container `zzz`\n  help: there is only `node`\n",
    ),
    (("explain", "a.yaml", "--field", "job.pod"), "no setting `job.pod`\n  help: did you mean `job.pods`?\n"),
    (
        ("explain", "a.yaml", "--field", "trainJob.numNodes"),
        "`trainJob.numNodes` is given, not decided\n  help: rules decide settings, derived names and objects\n",
    ),
    (("explain", "a.yaml", "--trainjob", "b"), "no TrainJob `b` in the files\n  help: there is only `a`\n"),
    (
        ("runtimes", "show", "mlx"),
        "no runtime `mlx` is shipped\n  help: known are `deepspeed-distributed`, `mlx-distributed`\n",
    ),
    (("rules", "show", "pods.as-templat"), "no rule `pods.as-templat`\n  help: did you mean `pods.as-template`?\n"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG, ids=[" ".join(arguments) for arguments, _ in WRONG])
def test_a_wrong_command_line_exits_with_2(run: Run, write: Write, arguments: tuple[str, ...], message: str) -> None:
    write("a.yaml", TRAIN_JOB)
    assert run(*arguments) == (2, "", message)


@pytest.mark.parametrize("arguments", [("--bad",), ("evaluate", "a", "-o", "xml"), ("completion", "tcsh")])
def test_what_the_parser_refuses_reads_like_other_messages(run: Run, arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert (done.code, done.out) == (2, "")
    assert re.fullmatch(r"trainpolicy[a-z ]*: [a-z].*[^.]\n  help: try `trainpolicy[a-z ]* --help`\n", done.err)


def test_an_interrupted_command_exits_with_130() -> None:
    # A shell script starts what runs in the background with this signal ignored, and so all that the tests start.
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    program = [*PROGRAM[:-1], heard + PROGRAM[-1], "evaluate", "-"]
    reader, writer = os.pipe()
    with subprocess.Popen(program, stdin=reader, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        os.close(reader)
        # It reads its standard input when a full pipe has been taken, and then waits for the rest of it.
        os.write(writer, b"#" * 65536)
        os.write(writer, b"#" * 65536)
        time.sleep(0.5)  # a signal between two reads would only be seen after the next one
        process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=30)
        finally:
            os.close(writer)
    assert (process.returncode, out, err) == (130, b"", b"")


def test_a_broken_pipe_is_quiet(tmp_path: Path) -> None:
    jobs = "---\n".join(TRAIN_JOB.replace("{name: a}", f"{{name: a{index}}}") for index in range(60))
    (tmp_path / "a.yaml").write_text(jobs, encoding="utf-8")
    with subprocess.Popen(
        [*PROGRAM, "evaluate", "a.yaml", "-o", "yaml"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read(4) == b"---\n"
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(timeout=30) == 141


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script_for_the_shell(run: Run, shell: str) -> None:
    done = run("completion", shell)
    assert (done.code, done.err) == (0, "")
    assert f"_TRAINPOLICY_COMPLETE={shell}_complete" in done.out


def test_the_shell_is_told_which_options_there_are() -> None:
    words = {"COMP_WORDS": "trainpolicy evaluate --pro", "COMP_CWORD": "2", "_TRAINPOLICY_COMPLETE": "bash_complete"}
    done = subprocess.run(PROGRAM, env={**os.environ, **words}, capture_output=True, text=True, check=True)
    assert done.stdout == "plain,--profile\n"


@pytest.mark.parametrize(
    ("options", "environment", "coloured"),
    [
        ((), {}, False),
        (("--color", "always"), {}, True),
        (("--color", "always"), {"NO_COLOR": "1"}, True),
        (("--color", "never"), {}, False),
    ],
)
def test_a_pipe_gets_colour_only_when_asked_for(
    run: Run,
    write: Write,
    monkeypatch: pytest.MonkeyPatch,
    options: tuple[str, ...],
    environment: dict[str, str],
    *,
    coloured: bool,
) -> None:
    write("a.yaml", TRAIN_JOB)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert ("\x1b[" in run("evaluate", "a.yaml", *options).out) is coloured
