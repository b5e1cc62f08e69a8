"""Which TrainJobs are found, which runtime each gets, and in which order they are told."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
Write = Callable[[str, str], Path]

HEAD = "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: "


def train_job(name: str, runtime: str = "{name: deepspeed-distributed}", namespace: str = "team") -> str:
    return f"{HEAD}TrainJob\nmetadata: {{name: {name}, namespace: {namespace}}}\nspec: {{runtimeRef: {runtime}}}\n"


def runtime(name: str, kind: str = "ClusterTrainingRuntime", namespace: str = "team", nodes: int = 5) -> str:
    where = "" if kind == "ClusterTrainingRuntime" else f", namespace: {namespace}"
    return f"""{HEAD}{kind}
metadata: {{name: {name}{where}}}
spec:
  mlPolicy: {{numNodes: {nodes}}}
  template:
    spec:
      replicatedJobs:
        - name: work
          template:
            metadata: {{labels: {{trainer.kubeflow.org/trainjob-ancestor-step: trainer}}}}
            spec: {{template: {{spec: {{containers: [{{name: node, image: example.test/work}}]}}}}}}
"""


def told(done: Any) -> list[tuple[str, str, str]]:
    """Name of each TrainJob with its runtime and the runtime's file."""
    text = done.out
    documents = [json.loads(text)] if text.startswith("{\n") else [json.loads(line) for line in text.splitlines()]
    return [(one["trainJob"]["name"], one["runtime"]["name"], one["runtime"]["place"]["file"]) for one in documents]


def test_the_order_is_that_of_the_input(run: Run, write: Write) -> None:
    write("z.yaml", train_job("z2") + "---\n" + train_job("z1"))
    write("a.yaml", train_job("a"))
    shipped = ("deepspeed-distributed", "runtimes/deepspeed-distributed.yaml")
    done = run("evaluate", "z.yaml", "a.yaml", "-o", "json")
    assert (done.code, done.err) == (0, "")
    assert told(done) == [("z2", *shipped), ("z1", *shipped), ("a", *shipped)]


def test_a_folder_is_read_recursively_and_sorted(run: Run, write: Write) -> None:
    for name in ("f/b.yml", "f/a/z.json", "f/c.yaml", "f/readme.md", "f/d.yaml.orig"):
        path = name.replace("/", "-").replace(".", "-")
        write(
            name,
            train_job(path)
            if "json" not in name
            else json.dumps(
                {
                    "apiVersion": "trainer.kubeflow.org/v1alpha1",
                    "kind": "TrainJob",
                    "metadata": {"name": path},
                    "spec": {"runtimeRef": {"name": "mlx-distributed"}},
                }
            ),
        )
    assert [row[0] for row in told(run("evaluate", "f", "-o", "json"))] == ["f-a-z-json", "f-b-yml", "f-c-yaml"]


def test_a_file_that_is_named_twice_is_read_once(run: Run, write: Write) -> None:
    write("f/a.yaml", train_job("a"))
    assert [row[0] for row in told(run("evaluate", "f/a.yaml", "f", "./f/a.yaml", "-o", "json"))] == ["a"]


def test_standard_input_is_a_file_among_others(run: Run, write: Write) -> None:
    write("a.yaml", train_job("a"))
    done = run("evaluate", "-", "a.yaml", "-o", "json", stdin=train_job("b").encode())
    assert [row[0] for row in told(done)] == ["b", "a"]
    assert json.loads(done.out.splitlines()[0])["trainJob"]["place"] == {"file": "<stdin>", "line": 1, "column": 1}


@pytest.mark.parametrize("kind", ["List", "TrainJobList"])
def test_lists_hold_manifests(run: Run, write: Write, kind: str) -> None:
    item = {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "metadata": {"name": "a"},
        "spec": {"runtimeRef": {"name": "mlx-distributed"}, "trainer": {"numNodes": "3"}},
    }
    if kind != "List":
        del item["apiVersion"], item["kind"]  # the API server leaves them out of a typed list
    version = "v1" if kind == "List" else "trainer.kubeflow.org/v1alpha1"
    write("a.json", json.dumps({"apiVersion": version, "kind": kind, "items": [item]}, indent=1))
    done = run("evaluate", "a.json")
    line = 16 if kind == "List" else 14
    assert (done.code, done.out) == (4, "")
    assert done.err.startswith(f"a.json:{line}:")


def test_a_list_in_a_list_is_looked_into(run: Run) -> None:
    inner = {
        "kind": "List",
        "items": [
            json.loads(
                json.dumps(
                    {
                        "apiVersion": "trainer.kubeflow.org/v1alpha1",
                        "kind": "TrainJob",
                        "metadata": {"name": "a"},
                        "spec": {"runtimeRef": {"name": "mlx-distributed"}},
                    }
                )
            )
        ],
    }
    done = run("evaluate", "-", "-o", "json", stdin=json.dumps({"kind": "List", "items": [inner]}).encode())
    assert [row[0] for row in told(done)] == ["a"]


def test_a_runtime_among_the_files_comes_before_the_shipped_one(run: Run, write: Write) -> None:
    write("a.yaml", train_job("a") + "---\n" + runtime("deepspeed-distributed"))
    assert told(run("evaluate", "a.yaml", "-o", "json")) == [("a", "deepspeed-distributed", "a.yaml")]


def test_a_training_runtime_is_found_in_the_namespace_of_the_trainjob(run: Run, write: Write) -> None:
    reference = "{kind: TrainingRuntime, name: mine}"
    write("a.yaml", train_job("a", reference) + "---\n" + train_job("b", reference, "other"))
    write("x.yaml", runtime("mine", "TrainingRuntime", "other"))
    write("y.yaml", runtime("mine", "TrainingRuntime"))
    done = run("evaluate", "a.yaml", "x.yaml", "y.yaml", "-o", "json")
    assert told(done) == [("a", "mine", "y.yaml"), ("b", "mine", "x.yaml")]


@pytest.mark.parametrize(
    ("reference", "files", "message"),
    [
        (
            "{name: deepspeed-distribted}",
            "",
            (
                "a.yaml:4:27: no ClusterTrainingRuntime `deepspeed-distribted` in the files, nor is one shipped\n"
                "  help: did you mean `deepspeed-distributed`?\n"
            ),
        ),
        (
            "{name: mine-2, kind: TrainingRuntime}",
            runtime("mine-1", "TrainingRuntime"),
            "a.yaml:4:27: no TrainingRuntime `mine-2` in the files\n  help: did you mean `mine-1`?\n",
        ),
        (
            "{name: mine, kind: TrainingRuntime}",
            runtime("mine"),
            (
                "a.yaml:4:27: no TrainingRuntime `mine` in the files\n"
                "  help: b.yaml:1:1 is a ClusterTrainingRuntime of that name: set `spec.runtimeRef.kind` to it\n"
            ),
        ),
        (
            "{name: mine, kind: TrainingRuntime}",
            runtime("mine", "TrainingRuntime", "other"),
            (
                "a.yaml:4:27: no TrainingRuntime `mine` in the files\n"
                "  help: b.yaml:1:1 is one of namespace `other`, but this TrainJob is of namespace `team`\n"
            ),
        ),
        (
            "{name: mine, kind: TrainingRuntime}",
            "",
            "a.yaml:4:27: no TrainingRuntime `mine` in the files\n  help: give the runtime's file too\n",
        ),
        (
            "{name: zzz}",
            "",
            (
                "a.yaml:4:27: no ClusterTrainingRuntime `zzz` in the files, nor is one shipped\n"
                "  help: known are `deepspeed-distributed`, `mlx-distributed`\n"
            ),
        ),
        (
            "{name: mine, kind: Runtime, apiGroup: example.test}",
            runtime("mine"),
            (
                "a.yaml:4:27: no Runtime of `example.test` `mine` in the files\n"
                "  help: b.yaml:1:1 is a ClusterTrainingRuntime of that name: set `spec.runtimeRef.kind` to it\n"
            ),
        ),
    ],
    ids=["near shipped name", "near name", "other kind", "other namespace", "no file", "no near name", "other group"],
)
def test_a_runtime_that_is_nowhere_is_looked_for_nearby(
    run: Run, write: Write, reference: str, files: str, message: str
) -> None:
    write("a.yaml", train_job("a", reference))
    write("b.yaml", files)
    done = run("evaluate", "a.yaml", *(["b.yaml"] if files else []))
    assert (done.code, done.out, done.err) == (4, "", message)


def test_a_bad_trainjob_among_several_leaves_the_others_decided(run: Run, write: Write) -> None:
    write("a.yaml", "---\n".join([train_job("a", "{name: nowhere}"), train_job("b"), train_job("c", "{name: gone}")]))
    done = run("evaluate", "a.yaml", "-o", "json")
    documents = [json.loads(line) for line in done.out.splitlines()]
    assert (done.code, done.err) == (4, "")
    assert [(one["trainJob"]["name"], one["outcome"], one["runtime"] is None) for one in documents] == [
        ("a", "invalid", True),
        ("b", "decided", False),
        ("c", "invalid", True),
    ]
    assert [one["cause"] for one in documents[2]["problems"]] == [
        "no ClusterTrainingRuntime `gone` in the files, nor is one shipped"
    ]


def test_other_kinds_are_skipped_with_a_note(run: Run, write: Write) -> None:
    others = (
        "apiVersion: v1\nkind: Namespace\nmetadata: {name: team}\n---\napiVersion: v1\nkind: ConfigMapList\nitems: []\n"
    )
    write(
        "a.yaml",
        others
        + "---\n"
        + train_job("a").replace("v1alpha1", "v1alpha1")
        + "---\n"
        + train_job("b").replace("trainer.kubeflow.org/v1alpha1", "kubeflow.org/v1"),
    )
    done = run("evaluate", "a.yaml", "-o", "json")
    assert (done.code, [row[0] for row in told(done)]) == (0, ["a"])
    assert done.err == (
        "a.yaml:1:1: note: skipped Namespace `team`: neither a TrainJob nor a runtime\n"
        "a.yaml:5:1: note: skipped ConfigMapList: neither a TrainJob nor a runtime\n"
        "a.yaml:14:1: note: skipped TrainJob `b` of `kubeflow.org/v1`: neither a TrainJob nor a runtime\n"
    )


def test_an_existing_jobset_is_what_patches_are_made_against(run: Run, write: Write) -> None:
    job_set = "apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nmetadata: {name: NAME, namespace: team}\nspec: {}\n"
    write("a.yaml", train_job("a"))
    write("b.yaml", job_set.replace("NAME", "a") + "---\n" + job_set.replace("NAME", "stranger"))
    done = run("evaluate", "a.yaml", "b.yaml", "-o", "json")
    assert done.err == "b.yaml:6:1: note: skipped JobSet `stranger`: no TrainJob of that name\n"
    operations = json.loads(done.out)["patch"]["json"]
    assert "/spec/replicatedJobs" in [operation["path"] for operation in operations]


def test_two_objects_of_one_name_are_told_with_both_places(run: Run, write: Write) -> None:
    write("a.yaml", train_job("a") + "---\n" + runtime("mine"))
    write("b.yaml", train_job("a") + "---\n" + runtime("mine") + "---\n" + train_job("a", namespace="other"))
    done = run("evaluate", "a.yaml", "b.yaml", "-o", "json")
    assert (done.code, done.out) == (4, "")
    assert done.err == (
        "b.yaml:3:18: a second TrainJob `a` of namespace `team`; the first is at a.yaml:3:18\n"
        "  help: keep one of them, or give them different names\n"
        "b.yaml:8:18: a second ClusterTrainingRuntime `mine`; the first is at a.yaml:8:18\n"
        "  help: keep one of them, or give them different names\n"
    )


def test_a_jobset_as_it_is_stored_loses_nothing_by_a_patch(run: Run, write: Write) -> None:
    write("a.yaml", train_job("a"))
    result = json.loads(run("evaluate", "a.yaml", "-o", "json").out)["jobSet"]
    metadata = result["metadata"]
    [owner] = metadata["ownerReferences"]
    metadata = {**metadata, "uid": "u", "labels": {"q": "x"}, "ownerReferences": [{**owner, "uid": "o"}]}
    write("b.json", json.dumps({**result, "metadata": metadata, "status": {"restarts": 0}}))
    assert run("evaluate", "a.yaml", "b.json", "-o", "jsonpatch").out == "[]\n"
    assert run("evaluate", "a.yaml", "b.json", "-o", "mergepatch").out == "{}\n"
