"""What `evaluate` prints: the pods of issue-level promises, every form, and the documented shape."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import jsonschema
import pytest
import yaml

from trainpolicy.engine import Outcome, Policy

Run = Callable[..., Any]
Write = Callable[[str, str], Path]

RUNTIMES = ["deepspeed-distributed", "mlx-distributed"]
# runtime numNodes, TrainJob numNodes, whether `node` has the label, workers with runLauncherAsNode, workers without
PODS = [
    (1, None, False, 1, 1),
    (1, 1, False, 1, 1),
    (1, 3, False, 2, 3),
    (3, None, False, 2, 3),
    (3, 1, False, 1, 1),
    (3, 3, False, 2, 3),
    (3, None, True, 2, 3),
]
LABEL = {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}


@pytest.fixture
def manifests(root: Path) -> Callable[..., str]:
    """A shipped runtime, changed, and a TrainJob on it, as YAML."""

    def call(
        name: str, *, nodes: int = 1, wanted: int | None = None, launcher_is_node: bool = True, label: str = "launcher"
    ) -> str:
        runtime: Any = yaml.safe_load((root / "runtimes" / f"{name}.yaml").read_text(encoding="utf-8"))
        runtime["spec"]["mlPolicy"]["numNodes"] = nodes
        runtime["spec"]["mlPolicy"]["mpi"]["runLauncherAsNode"] = launcher_is_node
        for job in runtime["spec"]["template"]["spec"]["replicatedJobs"]:
            job["template"]["metadata"] = {"labels": LABEL} if job["name"] == label else {}
        train_job = {
            "apiVersion": "trainer.kubeflow.org/v1alpha1",
            "kind": "TrainJob",
            "metadata": {"name": "train", "namespace": "team"},
            "spec": {
                "runtimeRef": {"name": name},
                **({} if wanted is None else {"trainer": {"numNodes": wanted}}),
            },
        }
        return f"{json.dumps(runtime)}\n---\n{json.dumps(train_job)}\n"

    return call


@pytest.fixture(scope="module")
def policy() -> Iterator[Policy]:
    with Policy.load() as loaded:
        yield loaded


def pods(document: dict[str, Any]) -> dict[str, tuple[int, int]]:
    jobs = document["jobSet"]["spec"]["replicatedJobs"]
    written = {job["name"]: job["template"]["spec"] for job in jobs}
    assert {name: spec["completions"] for name, spec in written.items()} == {
        name: spec["parallelism"] for name, spec in written.items()
    }
    told = {job["name"]: (job["pods"]["before"], job["pods"]["after"]) for job in document["jobs"]}
    assert {name: after for name, (_, after) in told.items()} == {
        name: spec["parallelism"] for name, spec in written.items()
    }
    return told


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("launcher_is_node", [True, False])
@pytest.mark.parametrize(("nodes", "wanted", "label_on_node", "with_launcher", "without"), PODS)
def test_the_pods_of_node_and_launcher(  # noqa: PLR0913  # one for each column of the table
    run: Run,
    policy: Policy,
    manifests: Callable[..., str],
    runtime: str,
    nodes: int,
    wanted: int | None,
    with_launcher: int,
    without: int,
    *,
    label_on_node: bool,
    launcher_is_node: bool,
) -> None:
    text = manifests(
        runtime,
        nodes=nodes,
        wanted=wanted,
        launcher_is_node=launcher_is_node,
        label="node" if label_on_node else "launcher",
    )
    done = run("evaluate", "-", "-o", "json", stdin=text.encode())
    assert (done.code, done.err) == (0, "")
    document = json.loads(done.out)
    workers = with_launcher if launcher_is_node else without
    assert pods(document) == {"node": (1, workers), "launcher": (1, 1)}
    # The library gives the same.
    given, train_job = yaml.safe_load_all(text)
    evaluation = policy.evaluate(runtime=given, train_job=train_job)
    assert (evaluation.outcome, evaluation.job_set) == (Outcome.DECIDED, document["jobSet"])


@pytest.mark.parametrize(("nodes", "wanted"), [(1, None), (1, 1), (3, 1)])
@pytest.mark.parametrize("options", [("--profile", "with-4045"), ("--profile", "with-4210", "--set", "minWorkers=0")])
def test_with_4045_one_node_is_the_launcher_alone(
    run: Run, manifests: Callable[..., str], nodes: int, wanted: int | None, options: tuple[str, ...]
) -> None:
    text = manifests(RUNTIMES[0], nodes=nodes, wanted=wanted)
    done = run("evaluate", "-", "-o", "json", *options, stdin=text.encode())
    assert pods(json.loads(done.out)) == {"node": (1, 0), "launcher": (1, 1)}


def test_before_4210_the_label_gives_the_launcher_its_size(run: Run, manifests: Callable[..., str]) -> None:
    text = manifests(RUNTIMES[0], nodes=3).encode()
    done = run("evaluate", "-", "-o", "json", "--profile", "before-4210", stdin=text)
    assert pods(json.loads(done.out)) == {"node": (1, 1), "launcher": (1, 3)}


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_on_one_node_three_profiles_agree(run: Run, manifests: Callable[..., str], runtime: str) -> None:
    text = manifests(runtime).encode()
    profiles = ("default", "with-4210", "before-4210")
    outputs = [json.loads(run("evaluate", "-", "-o", "json", "--profile", one, stdin=text).out) for one in profiles]
    assert outputs[1]["jobSet"] == outputs[0]["jobSet"]
    assert outputs[2]["jobSet"] == outputs[0]["jobSet"]


@pytest.mark.parametrize("form", ["human", "json", "yaml", "jsonpatch", "mergepatch", "apply", "objects"])
def test_both_matchers_print_the_same(run: Run, root: Path, form: str) -> None:
    arguments = ("evaluate", str(root / "docs" / "examples"), "-o", form)
    done = run(*arguments)
    assert done.code == 0
    assert run(*arguments, "--matcher", "reference") == done


def closed(schema: Any) -> Any:
    """The published schema allows more fields, for later versions of the program; this one gives none."""
    if isinstance(schema, list):
        return [closed(item) for item in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    strict = {name: closed(value) for name, value in cast("dict[str, Any]", schema).items()}
    return {**strict, "additionalProperties": False} if "required" in strict else strict


@pytest.fixture
def validate(root: Path) -> Callable[[Any], None]:
    """Raise for a document that is not of the documented shape."""
    schema = json.loads((root / "docs" / "output.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator: Any = jsonschema.Draft202012Validator(closed(schema))
    check: Callable[[Any], None] = validator.validate
    return check


DOCUMENTS = [
    ("evaluate", "EXAMPLES"),
    ("explain", "EXAMPLES"),
    ("explain", "EXAMPLES", "--field", "numNodes"),
    ("rules", "list"),
    ("rules", "list", "--profile", "before-4210"),
    ("rules", "show", "pods.as-template"),
    ("rules", "profiles"),
    ("rules", "parameters"),
    ("runtimes", "list"),
]


@pytest.mark.parametrize("arguments", DOCUMENTS, ids=[" ".join(arguments) for arguments in DOCUMENTS])
def test_documents_have_the_shape_that_is_documented(
    run: Run, root: Path, validate: Callable[[Any], None], arguments: tuple[str, ...]
) -> None:
    command = [one.replace("EXAMPLES", str(root / "docs" / "examples")) for one in arguments]
    as_json, as_yaml = run(*command, "-o", "json"), run(*command, "-o", "yaml")
    several = as_json.out.startswith('{"')
    documents = [json.loads(line) for line in as_json.out.splitlines()] if several else [json.loads(as_json.out)]
    assert documents == list(yaml.safe_load_all(as_yaml.out))
    assert len(documents) == (4 if "EXAMPLES" in arguments else 1)
    for document in documents:
        validate(document)


def test_a_refused_trainjob_has_a_document_of_that_shape_too(
    run: Run, write: Write, root: Path, validate: Callable[[Any], None]
) -> None:
    good = (root / "docs" / "examples" / "deepspeed.yaml").read_text(encoding="utf-8")
    bad = good.replace("name: finetune", "name: nowhere").replace("name: deepspeed-distributed", "name: gone")
    write("a.yaml", f"{good}---\n{bad}")
    first, second = (json.loads(line) for line in run("evaluate", "a.yaml", "-o", "json").out.splitlines())
    validate(first)
    validate(second)
    assert (second["outcome"], second["jobSet"], second["patch"]) == ("invalid", None, None)
    assert [problem["field"] for problem in second["problems"]] == ["spec.runtimeRef.name"]


def test_patches_of_several_keep_step_with_the_input(run: Run, root: Path, write: Write) -> None:
    good = (root / "docs" / "examples" / "deepspeed.yaml").read_text(encoding="utf-8")
    bad = good.replace("name: finetune", "name: nowhere").replace("name: deepspeed-distributed", "name: gone")
    write("a.yaml", f"{bad}---\n{good}")
    for form in ("jsonpatch", "mergepatch"):
        done = run("evaluate", "a.yaml", "-o", form)
        assert (done.code, done.err) == (
            4,
            (
                "a.yaml:9:11: no ClusterTrainingRuntime `gone` in the files, nor is one shipped\n"
                "  help: known are `deepspeed-distributed`, `mlx-distributed`\n"
            ),
        )
        assert [json.loads(line) is None for line in done.out.splitlines()] == [True, False]


def test_the_order_of_jobs_and_what_they_wait_for_is_told(run: Run, root: Path) -> None:
    done = run("evaluate", str(root / "docs" / "examples" / "own-runtime.yaml"), "-o", "json")
    document = json.loads(done.out)
    assert document["startOrder"] == [
        {"job": "node", "step": 1, "after": []},
        {"job": "launcher", "step": 2, "after": [{"job": "node", "status": "Ready"}]},
    ]
