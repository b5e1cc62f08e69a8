"""The shipped rules, profiles and runtimes as data: complete, without dead names, and what the facts say."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

RULE_FILES = [
    "trainer/pods.yaml",
    "mpi/nodes.yaml",
    "mpi/start-order.yaml",
    "mpi/gpus.yaml",
    "mpi/slots.yaml",
    "mpi/ssh.yaml",
    "mpi/hostfile.yaml",
    "mpi/openmpi-4.yaml",
    "mpi/openmpi-5.yaml",
    "mpi/workers.yaml",
    "trainer/overrides.yaml",
    "trainer/resources.yaml",
    "trainer/initializers.yaml",
    "trainer/checks.yaml",
    "trainer/initializer-checks.yaml",
    "trainer/patch-checks.yaml",
    "mpi/denials.yaml",
    "trainer/not-covered.yaml",
]


def read(path: Path) -> dict[str, Any]:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def rules(root: Path) -> dict[str, dict[str, Any]]:
    """Every shipped rule by its id, with the conditions of its file added to its own."""
    found: dict[str, dict[str, Any]] = {}
    for name in RULE_FILES:
        document = read(root / "rules" / name)
        for rule in document["rules"]:
            assert rule["id"] not in found
            found[rule["id"]] = {**rule, "file": name}
    return found


@pytest.fixture(scope="module")
def vocabulary(root: Path) -> dict[str, dict[str, Any]]:
    """Every name of the vocabulary and every parameter, by its section."""
    names = ("entities", "facts", "derived", "settings", "objects")
    sections: dict[str, dict[str, Any]] = {name: read(root / f"rules/vocabulary/{name}.yaml")[name] for name in names}
    sections["parameters"] = read(root / "rules/ruleset.yaml")["parameters"]
    return sections


def test_the_rule_set_lists_every_rule_file_that_there_is(root: Path) -> None:
    on_disk = {
        path.relative_to(root / "rules").as_posix()
        for path in (root / "rules").rglob("*.yaml")
        if path.parent.name not in {"rules", "vocabulary", "profiles"}
    }
    assert read(root / "rules/ruleset.yaml")["files"] == RULE_FILES
    assert on_disk == set(RULE_FILES)


def test_a_reviewer_finds_title_reason_source_and_examples_in_every_rule(rules: dict[str, dict[str, Any]]) -> None:
    needed = ("title", "why", "source", "examples")
    lacking = [f"{name}: {key}" for name, rule in rules.items() for key in needed if not rule.get(key)]
    assert lacking == []


def test_sources_can_be_looked_up(rules: dict[str, dict[str, Any]]) -> None:
    known = re.compile(r"B-\d+|kubeflow/trainer#\d+|(JobSet|Trainer) API, .+")
    sources = {source for rule in rules.values() for source in rule["source"]}
    assert [source for source in sorted(sources) if not known.fullmatch(source)] == []


def test_every_rule_shows_a_case_in_which_it_holds(rules: dict[str, dict[str, Any]]) -> None:
    holds = {name: [e for e in rule["examples"] if e["then"] != "none"] for name, rule in rules.items()}
    assert [name for name, examples in holds.items() if not examples] == []


def test_every_rule_with_a_condition_shows_a_case_in_which_it_does_not_hold(rules: dict[str, dict[str, Any]]) -> None:
    silent = {name: [e for e in rule["examples"] if e["then"] == "none"] for name, rule in rules.items()}
    assert [name for name, examples in silent.items() if bool(examples) != ("when" in rules[name])] == []


def test_every_test_of_a_rule_is_missed_by_an_example(rules: dict[str, dict[str, Any]]) -> None:
    """As many `none` examples as conditions, so that no condition can go without an example noticing."""
    assert [
        name
        for name, rule in rules.items()
        if sum(example["then"] == "none" for example in rule["examples"]) < len(rule.get("when", []))
    ] == []


def test_every_name_has_a_meaning(vocabulary: dict[str, dict[str, Any]]) -> None:
    entries = {name: entry for section in vocabulary.values() for name, entry in section.items()}
    assert [name for name, entry in entries.items() if not re.fullmatch(r"[A-Z].+\.", entry["meaning"])] == []


def test_every_name_is_used_by_a_rule(root: Path, vocabulary: dict[str, dict[str, Any]]) -> None:
    text = "".join((root / "rules" / name).read_text(encoding="utf-8") for name in RULE_FILES)
    used = set(re.findall(r"[A-Za-z][A-Za-z.]*[A-Za-z]", text))
    # An item of this entity is looked at for the containers in it.
    used |= {entry["of"] for entry in vocabulary["entities"].values() if "of" in entry}
    names = {name for section in vocabulary.values() for name in section}
    assert names - used == set()


def test_every_setting_has_one_way_of_being_written(vocabulary: dict[str, dict[str, Any]]) -> None:
    ways = {name: setting["write"] for name, setting in vocabulary["settings"].items()}
    assert ways == {
        "jobSet.jobs": "order",
        "job.pods": "set",
        "job.replicas": "set",
        "job.dependsOn": "upsert",
        "job.volumes": "upsert",
        "container.image": "set",
        "container.command": "set",
        "container.args": "set",
        "container.env": "upsert",
        "container.envFrom": "append",
        "container.mounts": "upsert",
        "container.limits": "merge",
        "container.requests": "merge",
        "container.claims": "set",
    }


PROFILES: dict[str, tuple[str | None, dict[str, int], set[str]]] = {
    "default": (None, {}, set()),
    "with-4210": ("default", {}, {"mpi.order."}),
    "with-4045": ("with-4210", {"minWorkers": 0}, set()),
    "before-4210": ("with-4210", {}, {"mpi.nodes.from-runtime", "mpi.launcher.one-pod"}),
    "trainer-2.3": ("before-4210", {}, {"openmpi5."}),
}


def test_these_profiles_are_shipped(root: Path) -> None:
    assert {path.stem for path in (root / "rules/profiles").iterdir()} == set(PROFILES)


@pytest.mark.parametrize("name", PROFILES)
def test_a_profile_differs_from_the_one_below_it_by_this_alone(
    root: Path, rules: dict[str, dict[str, Any]], name: str
) -> None:
    base, parameters, prefixes = PROFILES[name]
    profile = read(root / "rules/profiles" / f"{name}.yaml")
    assert profile["profile"] == name
    assert profile.get("extends") == base
    assert profile.get("parameters", {}) == parameters
    assert set(profile) <= {"language", "profile", "extends", "meaning", "parameters", "disable"}
    off = {rule for rule in rules if any(rule.startswith(prefix) for prefix in prefixes)}
    assert set(profile.get("disable", [])) == off


@pytest.mark.parametrize("framework", ["deepspeed", "mlx"])
def test_a_shipped_runtime_is_what_the_facts_say(root: Path, framework: str) -> None:
    runtime = read(root / "runtimes" / f"{framework}-distributed.yaml")
    image = f"ghcr.io/kubeflow/trainer/{framework}-runtime"
    container = {"name": "node", "image": image, "securityContext": {"runAsUser": 1000}}
    worker = {
        **container,
        "command": ["/usr/sbin/sshd"],
        "args": ["-De", "-f", "/home/mpiuser/.sshd_config"],
        "readinessProbe": {"tcpSocket": {"port": 2222}, "initialDelaySeconds": 5},
    }
    pod = {"securityContext": {"fsGroup": 1000}}
    assert runtime == {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "ClusterTrainingRuntime",
        "metadata": {
            "name": f"{framework}-distributed",
            "labels": {"trainer.kubeflow.org/framework": framework},
        },
        "spec": {
            "mlPolicy": {
                "numNodes": 1,
                "mpi": {
                    "numProcPerNode": 1,
                    "mpiImplementation": "OpenMPI",
                    "sshAuthMountPath": "/home/mpiuser/.ssh",
                    "runLauncherAsNode": True,
                },
            },
            "template": {
                "spec": {
                    "network": {"publishNotReadyAddresses": True},
                    "successPolicy": {"operator": "All", "targetReplicatedJobs": ["launcher"]},
                    "replicatedJobs": [
                        {
                            "name": "node",
                            "template": {"spec": {"template": {"spec": {**pod, "containers": [worker]}}}},
                        },
                        {
                            "name": "launcher",
                            "dependsOn": [{"name": "node", "status": "Ready"}],
                            "template": {
                                "metadata": {"labels": {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}},
                                "spec": {"template": {"spec": {**pod, "containers": [container]}}},
                            },
                        },
                    ],
                }
            },
        },
    }


def test_only_these_runtimes_are_shipped(root: Path) -> None:
    names = {path.name for path in (root / "runtimes").iterdir() if path.suffix != ".py" and path.name != "__pycache__"}
    assert names == {"deepspeed-distributed.yaml", "mlx-distributed.yaml"}
