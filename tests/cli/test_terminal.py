"""Text of users reaches a terminal as text: nothing in it is obeyed, hidden or passed off as words of ours."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

Run = Callable[..., Any]
Write = Callable[[str, str], Path]

TRAIN_JOB = """apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: train}
spec: {runtimeRef: {name: deepspeed-distributed}}
"""
ESCAPED = r"a\u001b[31m\u009b1m\u0007\u007f\r\u202e\u2066\u2028\ufeffb"
SHOWN = r"a\u001b[31m\u009b1m\u0007\u007f\u000d\u202e\u2066\u2028\ufeffb"
OBEYED = set("\x1b\x9b\x07\x7f\r\u202e\u2066\u2028\ufeff")


@pytest.mark.parametrize("colour", ["never", "always"])
def test_control_characters_in_a_message_are_spelled(run: Run, write: Write, colour: str) -> None:
    write("a.yaml", TRAIN_JOB + f'---\napiVersion: v1\nkind: "{ESCAPED}"\n')
    done = run("evaluate", "a.yaml", "--color", colour)
    assert f"skipped {SHOWN}: neither" in done.err
    assert not OBEYED & set((done.out + done.err).replace("\x1b[", "") if colour == "always" else done.out + done.err)


def test_a_line_break_in_a_message_is_spelled(run: Run, write: Write) -> None:
    write("a.yaml", TRAIN_JOB.replace("deepspeed-distributed", r'"x\nb.yaml:1:1: all is well"'))
    message = (
        r"a.yaml:4:27: no ClusterTrainingRuntime `x\nb.yaml:1:1: all is well` in the files, nor is one shipped"
        "\n  help: known are `deepspeed-distributed`, `mlx-distributed`\n"
    )
    assert run("evaluate", "a.yaml") == (4, "", message)


@pytest.mark.parametrize("form", ["json", "yaml", "mergepatch", "apply", "objects"])
def test_data_spells_them_and_means_the_same(run: Run, write: Write, form: str) -> None:
    write("a.yaml", TRAIN_JOB.replace("spec: {", f'spec: {{trainer: {{args: ["{ESCAPED}"]}}, '))
    done = run("evaluate", "a.yaml", "-o", form)
    assert done.code == 0
    assert not OBEYED & set(done.out)
    if form in {"json", "yaml"}:
        data: Any = json.loads(done.out) if form == "json" else yaml.safe_load(done.out)
        launcher = data["jobSet"]["spec"]["replicatedJobs"][1]["template"]["spec"]["template"]["spec"]
        assert launcher["containers"][0]["args"] == [json.loads(f'"{ESCAPED}"')]


@pytest.mark.parametrize(("form", "spelled"), [("human", r"\udcff.yaml:1"), ("yaml", r"\udcff.yaml")])
def test_a_file_name_that_is_not_utf_8_stops_no_form(run: Run, form: str, spelled: str) -> None:
    Path(b"\xff.yaml".decode("utf-8", "surrogateescape")).write_text(TRAIN_JOB, encoding="utf-8")
    done = run("evaluate", ".", "-o", form)
    assert done.code == 0
    assert spelled in done.out


def test_a_message_that_nobody_can_get_leaves_the_exit_code(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("a: }\n", encoding="utf-8")
    reader, writer = os.pipe()
    os.close(reader)
    program = (sys.executable, "-c", "from trainpolicy.cli.main import main; main()")
    done = subprocess.run((*program, "evaluate", "a.yaml"), cwd=tmp_path, stderr=writer, check=False)
    os.close(writer)
    assert done.returncode == 4
