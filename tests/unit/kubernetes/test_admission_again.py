"""A container that passed before is known again, and nothing but that."""

from typing import Any

from trainpolicy.engine.kubernetes.admission import admit


def job_set(container: dict[str, Any]) -> dict[str, Any]:
    job = {"name": "a", "template": {"spec": {"template": {"spec": {"containers": [container]}}}}}
    return {
        "apiVersion": "jobset.x-k8s.io/v1alpha2",
        "kind": "JobSet",
        "metadata": {"name": "x"},
        "spec": {"replicatedJobs": [job]},
    }


def admitted(container: dict[str, Any]) -> tuple[Any, list[str]]:
    result = admit(job_set(container), "JobSet")
    if result.problems:
        return None, [problem.cause for problem in result.problems]
    spec = result.document["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]
    return spec["containers"][0], []


def test_the_same_container_gives_equal_results_that_share_nothing() -> None:
    container = {"name": "node", "env": [{"name": "A", "value": "1"}]}
    first, second, third = (admitted(container)[0] for _ in range(3))
    assert first == second == third == container
    second["env"][0]["value"] = "2"
    assert first["env"][0]["value"] == third["env"][0]["value"] == container["env"][0]["value"] == "1"  # type: ignore[index]
    assert admitted(container)[0] == container


def test_a_number_that_equals_a_boolean_is_not_taken_for_it() -> None:
    assert admitted({"name": "node", "tty": True}) == ({"name": "node", "tty": True}, [])
    assert admitted({"name": "node", "tty": True}) == ({"name": "node", "tty": True}, [])
    assert admitted({"name": "node", "tty": 1})[1]


def test_what_defaults_change_is_changed_every_time() -> None:
    container = {"name": "node", "ports": [{"containerPort": 1}]}
    filled = {"name": "node", "ports": [{"containerPort": 1, "protocol": "TCP"}]}
    assert [admitted(container)[0] for _ in range(3)] == [filled, filled, filled]


def test_what_is_wrong_is_wrong_every_time() -> None:
    container = {"name": "node", "env": [{"name": "A"}, {"name": "A"}]}
    causes = [admitted(container)[1] for _ in range(3)]
    assert causes[0]
    assert causes[0] == causes[1] == causes[2]


def test_a_container_that_is_no_plain_data_is_checked_each_time() -> None:
    container: dict[str, Any] = {"name": "node", "image": object()}
    assert admitted(container)[1] == admitted(container)[1] != []
