"""Bad input gives place, cause, help and exit code 4, and nothing on standard output, in every form."""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
Write = Callable[[str, str], Path]

FORMS = ["human", "json", "yaml", "jsonpatch", "mergepatch", "apply", "objects"]
TRAIN_JOB = """apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: train
spec:
  runtimeRef:
    name: deepspeed-distributed
  trainer:
    numNodes: 3
"""
RUNTIME = """apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata:
  name: deepspeed-distributed
spec:
  mlPolicy:
    numNodes: 1
  template:
    spec:
      replicatedJobs:
        - name: a
          template: {}
        - name: b
          template: {}
"""


def nodes(value: str) -> str:
    return TRAIN_JOB.replace("numNodes: 3", f"numNodes: {value}")


def laughs() -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    return TRAIN_JOB + "\n".join(lines) + "\n"


FILES: dict[str, tuple[str | bytes, str]] = {
    "not YAML": (
        "a: [1, 2\nb: }\n",
        "a.yaml:2:2: not YAML: while parsing a flow sequence did not find expected ',' or ']'\n",
    ),
    "empty": (
        "",
        (
            "a.yaml: nothing to evaluate: there is no TrainJob\n"
            "  help: give a file or folder with a manifest of kind `TrainJob`\n"
        ),
    ),
    "only a comment": (
        "# nothing\n---\n",
        (
            "a.yaml: nothing to evaluate: there is no TrainJob\n"
            "  help: give a file or folder with a manifest of kind `TrainJob`\n"
        ),
    ),
    "a list": (
        "- a\n- b\n",
        (
            "a.yaml:1:1: a manifest is a map, not a list\n"
            "  help: write several manifests apart by `---`, or under `items` of `kind: List`\n"
        ),
    ),
    "text": (
        "hello\n",
        (
            "a.yaml:1:1: a manifest is a map, not text\n"
            "  help: write several manifests apart by `---`, or under `items` of `kind: List`\n"
        ),
    ),
    "no kind": (
        "metadata: {name: a}\n",
        ("a.yaml:1:1: not a manifest: `kind` is missing\n  help: name the kind, such as `TrainJob`\n"),
    ),
    "kind is a number": (
        "kind: 3\n",
        ("a.yaml:1:1: not a manifest: `kind` must be text\n  help: name the kind, such as `TrainJob`\n"),
    ),
    "items is a map": (
        "kind: List\nitems: {a: b}\n",
        ("a.yaml:2:1: `items` must be a list\n  help: write each manifest as an item of its own, after `- `\n"),
    ),
    "an item is text": (
        "kind: List\nitems: [a]\n",
        (
            "a.yaml:2:9: a manifest is a map, not text\n"
            "  help: write several manifests apart by `---`, or under `items` of `kind: List`\n"
        ),
    ),
    "duplicate keys": (
        TRAIN_JOB + "    numNodes: 4\n",
        ("a.yaml:10:5: the key `numNodes` stands here twice\n  help: it is first at a.yaml:9:5\n"),
    ),
    "a billion laughs": (
        laughs(),
        ("a.yaml:14:45: aliases stand for too many values\n  help: write the values out\n"),
    ),
    "a tab": (
        TRAIN_JOB.replace("  trainer:", "\ttrainer:"),
        ("a.yaml:8:1: a tab cannot indent\n  help: indent with spaces\n"),
    ),
    "not UTF-8": (
        TRAIN_JOB.encode() + b"# \xff\n",
        ("a.yaml:10:3: the file is not UTF-8: byte 0xff\n  help: save it as UTF-8\n"),
    ),
    "10,000 lists deep": (
        "a: " + "[" * 10_000 + "]" * 10_000 + "\n",
        "a.yaml:1:1003: values are nested deeper than 64 levels\n",
    ),
    "10,000 Lists deep": (
        "kind: List\nitems: [" + "{kind: List, items: [" * 20 + "]}" * 20 + "]\n",
        ("a.yaml:2:337: lists in lists, more than 16 deep\n  help: write the manifests under `items` of one list\n"),
    ),
    "other kinds only": (
        "apiVersion: v1\nkind: Namespace\nmetadata: {name: team}\n",
        (
            "a.yaml:1:1: note: skipped Namespace `team`: neither a TrainJob nor a runtime\n"
            "a.yaml: nothing to evaluate: there is no TrainJob\n"
            "  help: give a file or folder with a manifest of kind `TrainJob`\n"
        ),
    ),
    "numNodes text": (
        nodes('"3"'),
        ("a.yaml:9:15: `spec.trainer.numNodes` must be an integer, not text `3`\n  help: write 3, without quotes\n"),
    ),
    "numNodes a fraction": (
        nodes("3.5"),
        "a.yaml:9:15: `spec.trainer.numNodes` must be an integer, not `3.5`\n  help: write a whole number\n",
    ),
    "numNodes below 0": (
        nodes("-1"),
        (
            "a.yaml:9:15: `spec.trainer.numNodes` must be at least 0, not `-1`\n"
            "  help: write a number from 0 to 2147483647\n"
        ),
    ),
    "numNodes 2^31": (
        nodes("2147483648"),
        (
            "a.yaml:9:15: `spec.trainer.numNodes` must be at most 2147483647, not `2147483648`\n"
            "  help: write a number from 0 to 2147483647\n"
        ),
    ),
    "numNodes a boolean": (
        nodes("true"),
        "a.yaml:9:15: `spec.trainer.numNodes` must be an integer, not `true`\n  help: write a whole number\n",
    ),
    "numNodes a huge number": (
        nodes("9" * 5000),
        (
            f"a.yaml:9:15: `spec.trainer.numNodes` must be an integer, not text `{'9' * 40}…`\n"
            "  help: write a whole number\n"
        ),
    ),
    "spec is a list": (
        TRAIN_JOB.split("spec:", maxsplit=1)[0] + "spec: [1]\n",
        "a.yaml:5:1: `spec` must be a map, not a list\n  help: write its members below it, each as `name: value`\n",
    ),
    "no spec": (
        TRAIN_JOB.split("spec:", maxsplit=1)[0],
        "a.yaml:1:1: `spec` is missing\n  help: add `spec`\n",
    ),
    "no runtimeRef": (
        TRAIN_JOB.split("  runtimeRef:", maxsplit=1)[0] + "  trainer: {numNodes: -1}\n",
        (
            "a.yaml:6:23: `spec.trainer.numNodes` must be at least 0, not `-1`\n"
            "  help: write a number from 0 to 2147483647\n"
            "a.yaml:5:1: `spec.runtimeRef` is missing\n  help: add `runtimeRef`\n"
        ),
    ),
    "runtime name is a number": (
        TRAIN_JOB.replace("name: deepspeed-distributed", "name: 3"),
        ("a.yaml:7:11: `spec.runtimeRef.name` must be text, not `3`\n  help: put it in quotes\n"),
    ),
    "no name": (
        TRAIN_JOB.replace("name: train", "labels: {}"),
        "a.yaml:1:1: the TrainJob has no `metadata.name`\n  help: give it a name\n",
    ),
    "runtime nowhere": (
        TRAIN_JOB.replace("distributed", "distribted"),
        (
            "a.yaml:7:11: no ClusterTrainingRuntime `deepspeed-distribted` in the files, nor is one shipped\n"
            "  help: did you mean `deepspeed-distributed`?\n"
        ),
    ),
    "runtime without template": (
        RUNTIME.split("  template:", maxsplit=1)[0] + "  template: {}\n---\n" + TRAIN_JOB,
        "a.yaml:8:3: `spec.template` must not be empty\n  help: add a member\n",
    ),
    "a job without name": (
        RUNTIME.replace("name: a\n          template", "template") + "---\n" + TRAIN_JOB,
        "a.yaml:11:11: `spec.template.spec.replicatedJobs[0].name` is missing\n  help: add `name`\n",
    ),
    "two jobs of one name": (
        RUNTIME.replace("name: b", "name: a") + "---\n" + TRAIN_JOB,
        (
            "a.yaml:13:11: `spec.template.spec.replicatedJobs[1]` has name `a`, as item 0 has\n"
            "  help: keep one of the two\n"
        ),
    ),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("case", FILES)
def test_a_bad_file(run: Run, tmp_path: Path, case: str, form: str) -> None:
    content, message = FILES[case]
    (tmp_path / "a.yaml").write_bytes(content if isinstance(content, bytes) else content.encode())
    assert run("evaluate", "a.yaml", "-o", form) == (4, "", message)


def test_null_counts_as_absent(run: Run, write: Write) -> None:
    write("a.yaml", nodes("null"))
    write("b.yaml", TRAIN_JOB.split("  trainer:", maxsplit=1)[0])
    assert run("evaluate", "a.yaml", "-o", "objects") == run("evaluate", "b.yaml", "-o", "objects")


def test_a_file_of_50_mb_is_refused_unread(run: Run, tmp_path: Path) -> None:
    with (tmp_path / "a.yaml").open("wb") as file:
        file.truncate(50_000_000)
    message = "a.yaml: the file is larger than 32 MiB\n  help: split it\n"
    assert run("evaluate", "a.yaml") == (4, "", message)


def test_all_files_are_told_at_once(run: Run, write: Write) -> None:
    write("a.yaml", "a: }\n")
    write("b.yaml", TRAIN_JOB)
    write("c.yaml", "- 1\n")
    (Path.cwd() / "empty").mkdir()
    done = run("evaluate", "a.yaml", "b.yaml", "empty", "c.yaml")
    message = """a.yaml:1:4: not YAML: while parsing a block node did not find expected node content
empty: no manifest in this folder
  help: manifests end in .yaml, .yml or .json
c.yaml:1:1: a manifest is a map, not a list
  help: write several manifests apart by `---`, or under `items` of `kind: List`
"""
    assert (done.code, done.out, done.err) == (4, "", message)


@pytest.mark.skipif(os.name != "posix", reason="needs /proc")
def test_an_unreadable_file(run: Run) -> None:
    # Reading one's own memory at address 0 fails for everybody, root included.
    assert run("evaluate", "/proc/self/mem") == (4, "", "/proc/self/mem: cannot be read: input/output error\n")


def test_a_link_to_nowhere_in_a_folder_is_not_passed_over(run: Run, write: Write) -> None:
    write("folder/a.yaml", TRAIN_JOB)
    Path("folder/b.yaml").symlink_to("nowhere")
    message = "folder/b.yaml: cannot be read: no such file or directory\n"
    assert run("evaluate", "folder") == (4, "", message)


def test_a_folder_that_cannot_be_looked_into_is_not_passed_over(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("folder/a.yaml", TRAIN_JOB)
    write("folder/closed/b.yaml", TRAIN_JOB)
    look = os.scandir

    def refuse(path: str) -> Any:
        if path == "folder/closed":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return look(path)

    monkeypatch.setattr(os, "scandir", refuse)  # whoever runs the tests may be allowed to look everywhere
    assert run("evaluate", "folder") == (4, "", "folder/closed: cannot be read: permission denied\n")


def test_pipes_in_a_folder_are_passed_over(run: Run, write: Write) -> None:
    write("folder/a.yaml", TRAIN_JOB)
    os.mkfifo("folder/b.yaml")
    assert run("evaluate", "folder").code == 0


@pytest.mark.parametrize("path", ["", "a" * 5000, "a.yaml/b.yaml", "circle.yaml"])
def test_a_path_that_cannot_be_is_a_wrong_command_line(run: Run, write: Write, path: str) -> None:
    write("a.yaml", TRAIN_JOB)
    Path("circle.yaml").symlink_to("circle.yaml")
    assert run("evaluate", path) == (2, "", f"{path}: no such file or folder\n")


@pytest.mark.parametrize("options", [(), ("--rules", "rules"), ("--profile", "own.yaml")])
def test_whether_a_file_can_be_read_is_found_by_reading_it(
    run: Run, write: Write, root: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    # The parser of the command line would refuse it as a wrong command line.
    def closed(path: str, mode: int) -> bool:
        del path, mode
        return False

    write("a.yaml", TRAIN_JOB)
    Path("rules").symlink_to(root / "rules")
    write("own.yaml", "language: 1\nprofile: own\nextends: default\nmeaning: As shipped.\n")
    monkeypatch.setattr(os, "access", closed)
    assert run("evaluate", "a.yaml", *options).code == 0
