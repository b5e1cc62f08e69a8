"""Rule sets load whole or tell everything that is wrong with them."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from trainpolicy.engine.errors import InvalidRules, Place, TrainPolicyError, UsageError
from trainpolicy.engine.language.profile import list_profiles
from trainpolicy.engine.language.ruleset import RuleSet, load_rule_set
from trainpolicy.engine.language.vocabulary import Derived, Fact, Keep, Member, Parameter, Setting
from trainpolicy.engine.language.waiver import Waiver

CASES: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("ruleset_cases.yaml").read_text("utf-8"))
SKETCH = Path(__file__).parents[2] / "data" / "rules-sketch"

Write = Callable[[dict[str, str | None]], Path]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Writes files and gives the folder `set`, as a path below the current folder."""
    monkeypatch.chdir(tmp_path)

    def write_files(files: dict[str, str | None]) -> Path:
        for name, text in {"set/ruleset.yaml": "language: 1\nname: small\n", **files}.items():
            if text is not None:
                Path(name).parent.mkdir(parents=True, exist_ok=True)
                Path(name).write_text(text, encoding="utf-8")
        return Path("set")

    return write_files


ONE = {
    "set/ruleset.yaml": """
language: 1
name: small
files: [r.yaml]
parameters:
  least: {type: integer, default: 1, minimum: 0, meaning: Least.}
  where: {type: text, default: /data, meaning: Where.}
""",
    "set/vocabulary/v.yaml": """
language: 1
derived:
  size: {type: integer, unit: pods, meaning: Size.}
""",
    "set/r.yaml": """
language: 1
rules:
  - {id: one, title: One., then: {default: {size: 1}}}
  - {id: two, title: Two., overrides: [one], then: {default: {size: "${least + 1}"}}}
""",
}


def ids(rule_set: RuleSet) -> tuple[list[str], list[str]]:
    return [rule.id for rule in rule_set.rules], [rule.id for rule in rule_set.disabled]


def parameter(rule_set: RuleSet, name: str) -> Parameter:
    found = rule_set.vocabulary.names[name]
    assert isinstance(found, Parameter)
    return found


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_everything_that_is_wrong_is_told_with_its_place(case: dict[str, Any], write: Write) -> None:
    rules, profile = write(case["files"]), case.get("profile", "default")
    with pytest.raises(TrainPolicyError) as caught:
        load_rule_set(rules, Path(profile) if profile.endswith(".yaml") else profile, case.get("parameters"))
    assert [str(problem) for problem in caught.value.problems] == case["problems"]
    assert type(caught.value).__name__ == case["error"]


@pytest.mark.parametrize(
    ("profile", "rules", "off", "least"),
    [
        ("default", 64, 0, 1),
        ("with-4210", 61, 3, 1),
        ("with-4045", 61, 3, 0),
        ("before-4210", 59, 5, 1),
        ("trainer-2.3", 57, 7, 1),
    ],
)
def test_a_large_rule_set_loads_with_each_of_its_profiles(profile: str, rules: int, off: int, least: int) -> None:
    rule_set = load_rule_set(SKETCH, profile)
    assert (rule_set.name, rule_set.profile) == ("kubeflow-trainer-mpi", profile)
    assert tuple(map(len, ids(rule_set))) == (rules, off)
    assert (parameter(rule_set, "minWorkers").value, parameter(rule_set, "minWorkers").default) == (least, 1)


@pytest.mark.parametrize("profile", ["default", "with-4210", "with-4045", "before-4210", "trainer-2.3"])
def test_the_shipped_rule_set_loads_with_each_of_its_profiles(profile: str) -> None:
    rule_set = load_rule_set(profile=profile)
    assert (rule_set.name, rule_set.profile) == ("trainpolicy", profile)
    assert all(rule.place.file.startswith("rules/") for rule in rule_set.rules)


def test_how_a_setting_is_written_follows_from_its_type_and_from_the_rules() -> None:
    names = load_rule_set(SKETCH).vocabulary.names
    ways = {name: entry.write for name, entry in names.items() if isinstance(entry, Setting)}
    assert ways == {
        "jobSet.jobs": "order",
        "job.pods": "set",
        "job.replicas": "set",
        "job.dependsOn": "upsert",
        "job.volumes": "upsert",
        "job.podLabels": "merge",
        "job.podAnnotations": "merge",
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


def test_what_a_vocabulary_says_about_a_name_is_kept(write: Write) -> None:
    rules = write(
        {
            "set/vocabulary/v.yaml": """
language: 1
entities:
  job: {each: jobSet/spec.jobs, key: name, order: jobs, waits: "on[].name", meaning: A job.}
  box: {each: spec.boxes, of: job, key: id, meaning: A box.}
facts:
  job.env:
    at: job/env
    type: list
    of: envVar
    keep:
      - name
      - {member: from.field.path, of: quantity, default: "1", unless: from.secret}
    unit: names
    meaning: Environment.
  box.size: {at: box/size, type: integer, required: true, minimum: 1, maximum: 9, meaning: Size.}
derived:
  job.size: {type: map, of: quantity, scope: job, default: {}, meaning: Size of a job.}
settings:
  jobs: {to: jobSet/spec.jobs, type: list, key: name, meaning: Jobs.}
objects:
  keys: {apiVersion: v1, kind: Secret, name: keys, owner: trainJob, generate: {a: b}, meaning: Keys.}
"""
        }
    )
    vocabulary = load_rule_set(rules).vocabulary
    job, box = vocabulary.entities["job"], vocabulary.entities["box"]
    assert (job.of, job.key, job.order, job.each.text) == (None, "name", "jobs", "jobSet/spec.jobs")
    assert job.waits is not None
    assert (job.waits.document, job.waits.text) == ("job", "job/on[].name")
    assert (box.of, box.key, box.order, box.waits, box.each.text) == ("job", "id", None, None, "job/spec.boxes")
    env, size = vocabulary.names["job.env"], vocabulary.names["box.size"]
    assert isinstance(env, Fact)
    assert isinstance(size, Fact)
    assert env.keep == (
        Keep(path=("name",)),
        Keep(path=("from", "field", "path"), of="quantity", default="1", unless=("from", "secret")),
    )
    assert (env.type, env.of, env.entity) == ("list", "map", "job")
    assert (env.required, env.default, env.unit) == (False, None, "names")
    assert (size.entity, size.required, size.minimum, size.maximum, size.keep) == ("box", True, 1, 9, None)
    assert size.at.steps == (Member(name="size"),)
    assert size.place == Place(file="set/vocabulary/v.yaml", line=16, column=3)
    derived = vocabulary.names["job.size"]
    assert isinstance(derived, Derived)
    assert (derived.type, derived.of, derived.entity, derived.default) == ("map", "quantity", "job", {})
    keys = vocabulary.objects["keys"]
    assert (keys.api_version, keys.kind, keys.owner, keys.generate) == ("v1", "Secret", "trainJob", (("a", "b"),))
    assert vocabulary.chain("box") == ("job", "box")


def test_a_rule_set_without_profiles_has_the_default_one(write: Write) -> None:
    rule_set = load_rule_set(write({**ONE}))
    assert (rule_set.name, rule_set.profile, rule_set.waivers) == ("small", "default", ())
    assert ids(rule_set) == (["one", "two"], [])
    assert list_profiles(Path("set")) == ()


PROFILES = {
    "set/profiles/slow.yaml": """
language: 1
profile: slow
meaning: Slow.
parameters: {least: 5, where: /slow}
disable: [one, two]
files: [more/m.yaml, ../n.yaml]
waivers: [{rule: one, about: lint, reason: Known., until: "2027-01-31"}]
""",
    "set/profiles/slower.yaml": """
language: 1
profile: slower
extends: slow
parameters: {least: 7}
enable: [two]
waivers: [{rule: two, reason: Known.}]
""",
    "set/profiles/more/m.yaml": """
language: 1
rules:
  - {id: more, title: More., overrides: [two], then: {default: {size: 8}}}
""",
    "set/n.yaml": "language: 1\nrules:\n  - {id: most, title: Most., overrides: [more], then: {default: {size: 9}}}\n",
}


def test_a_profile_speaks_over_the_one_that_it_extends(write: Write) -> None:
    rules = write({**ONE, **PROFILES})
    slow, slower = load_rule_set(rules, "slow"), load_rule_set(rules, "slower")
    assert ids(slow) == (["more", "most"], ["one", "two"])
    assert ids(slower) == (["two", "more", "most"], ["one"])
    assert [parameter(slow, name).value for name in ("least", "where")] == [5, "/slow"]
    assert [parameter(slower, name).value for name in ("least", "where")] == [7, "/slow"]
    known = Waiver(
        rule="one",
        about="lint",
        reason="Known.",
        until="2027-01-31",
        place=Place(file="set/profiles/slow.yaml", line=8, column=11),
    )
    assert slow.waivers == (known,)
    assert [waiver.rule for waiver in slower.waivers] == ["one", "two"]


def test_the_caller_speaks_over_the_profile(write: Write) -> None:
    rule_set = load_rule_set(write({**ONE, **PROFILES}), "slower", {"least": 0})
    assert [parameter(rule_set, name).value for name in ("least", "where")] == [0, "/slow"]
    assert parameter(rule_set, "least").default == 1


def test_a_profile_may_be_a_file_of_its_own(write: Write) -> None:
    mine = "language: 1\nprofile: mine\nextends: slow\nfiles: [o.yaml]\n"
    added = "language: 1\nrules:\n  - {id: o, title: O., overrides: [most], then: {default: {size: 3}}}\n"
    rules = write({**ONE, **PROFILES, "my/mine.yaml": mine, "my/o.yaml": added})
    rule_set = load_rule_set(rules, Path("my/mine.yaml"))
    assert (rule_set.profile, ids(rule_set)) == ("mine", (["more", "most", "o"], ["one", "two"]))
    assert rule_set.rules[-1].place == Place(file="my/o.yaml", line=3, column=10)


def test_profiles_are_listed_as_their_files_say(write: Write) -> None:
    slow, slower = list_profiles(write({**ONE, **PROFILES}))
    assert (slow.name, slow.extends, slow.meaning) == ("slow", None, "Slow.")
    assert (slow.disable, slow.enable) == (("one", "two"), ())
    assert (slow.parameters, slow.files) == ({"least": 5, "where": "/slow"}, ("more/m.yaml", "../n.yaml"))
    assert (slower.name, slower.extends, slower.meaning, slower.enable) == ("slower", "slow", "", ("two",))
    assert slower.place == Place(file="set/profiles/slower.yaml", line=3, column=10)


def test_shipped_profiles_are_listed_by_name() -> None:
    assert [profile.name for profile in list_profiles()] == [
        "before-4210",
        "default",
        "trainer-2.3",
        "with-4045",
        "with-4210",
    ]


def test_faults_of_profiles_are_told_when_they_are_listed(write: Write) -> None:
    rules = write({"set/profiles/a.yaml": "language: 1\n", "set/profiles/b.yaml": "profile: no\n"})
    with pytest.raises(InvalidRules) as caught:
        list_profiles(rules)
    assert [str(problem) for problem in caught.value.problems] == [
        "set/profiles/a.yaml:1:1: `profile` is missing",
        (
            "set/profiles/b.yaml:1:10: `no` is a boolean for some readers of YAML and text for others\n"
            '  help: put it in quotes: `"no"`'
        ),
    ]


def test_a_rule_set_may_start_from_the_shipped_one(write: Write) -> None:
    shipped = load_rule_set(profile="with-4210")
    rules = write(
        {
            **ONE,
            "set/ruleset.yaml": "language: 1\nname: ours\nextends: trainpolicy\nfiles: [r.yaml]\nparameters:\n"
            "  least: {type: integer, default: 1, meaning: Least.}\n",
            "set/profiles/ours.yaml": "language: 1\nprofile: ours\nextends: with-4210\ndisable: [one]\n",
        }
    )
    rule_set = load_rule_set(rules, "ours")
    assert (rule_set.name, rule_set.profile) == ("ours", "ours")
    assert ids(rule_set) == ([*ids(shipped)[0], "two"], [*ids(shipped)[1], "one"])
    assert rule_set.vocabulary.names.keys() == shipped.vocabulary.names.keys() | {"size", "least"}
    assert [profile.name for profile in list_profiles(rules)][-2:] == ["with-4210", "ours"]


def test_names_of_the_shipped_rule_set_are_taken(write: Write) -> None:
    shipped = load_rule_set().vocabulary.names["minWorkers"]
    parameters = "parameters:\n  minWorkers: {type: integer, default: 1, meaning: Least.}\n"
    rules = write({"set/ruleset.yaml": f"language: 1\nname: ours\nextends: trainpolicy\n{parameters}"})
    with pytest.raises(InvalidRules) as caught:
        load_rule_set(rules)
    assert [str(problem) for problem in caught.value.problems] == [
        f"set/ruleset.yaml:5:3: the name `minWorkers` is taken\n  help: it is declared at {shipped.place}"
    ]


def test_the_digest_names_files_profile_and_parameters(write: Write) -> None:
    rules = write({**ONE, **PROFILES})
    digests = [
        load_rule_set(rules).digest,
        load_rule_set(rules, "slow").digest,
        load_rule_set(rules, parameters={"least": 2}).digest,
    ]
    Path("set/r.yaml").write_text(f"{ONE['set/r.yaml']}# a comment\n", encoding="utf-8")
    digests.append(load_rule_set(rules).digest)
    assert len(set(digests)) == 4
    write({**ONE})
    assert load_rule_set(rules.absolute()).digest == digests[0]


def test_a_link_that_leads_outside_the_folder_is_refused(write: Write) -> None:
    rules = write({**ONE, "elsewhere.yaml": ONE["set/r.yaml"], "set/r.yaml": None})
    Path("set/r.yaml").symlink_to(Path("elsewhere.yaml").absolute())
    with pytest.raises(InvalidRules) as caught:
        load_rule_set(rules)
    assert [str(problem) for problem in caught.value.problems] == [
        "set/ruleset.yaml:4:9: `r.yaml` leads outside the folder"
    ]


def test_a_link_within_the_folder_is_followed(write: Write) -> None:
    rules = write({**ONE, "set/data/r.yaml": ONE["set/r.yaml"], "set/r.yaml": None})
    Path("set/r.yaml").symlink_to("data/r.yaml")
    assert ids(load_rule_set(rules)) == (["one", "two"], [])


LONG = "x" * 300


def test_a_path_that_no_file_system_can_hold_is_a_problem_too(write: Write) -> None:
    rules = write({**ONE, "set/ruleset.yaml": f"language: 1\nname: small\nfiles: [{LONG}]\n"})
    with pytest.raises(InvalidRules) as caught:
        load_rule_set(rules)
    assert [str(problem) for problem in caught.value.problems] == [f"set/ruleset.yaml:3:9: there is no file `{LONG}`"]
    with pytest.raises(UsageError) as wrong:
        load_rule_set(rules, Path(LONG))
    assert [problem.cause for problem in wrong.value.problems] == ["no such profile file"]
    with pytest.raises(UsageError) as wrong:
        load_rule_set(Path(LONG))
    assert [problem.cause for problem in wrong.value.problems] == ["no such folder"]


@pytest.mark.parametrize(
    ("closing", "names"),
    [("open", ["set/ruleset.yaml", "set/vocabulary/v.yaml"]), ("iterdir", ["set/vocabulary"])],
)
def test_what_cannot_be_read_is_told(
    closing: str, names: list[str], write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    def closed(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    rules = write({**ONE})
    monkeypatch.setattr(Path, closing, closed)
    with pytest.raises(InvalidRules) as caught:
        load_rule_set(rules)
    monkeypatch.undo()
    assert [str(problem) for problem in caught.value.problems] == [
        f"{name}: cannot be read: permission denied" for name in names
    ]


@pytest.mark.parametrize(("name", "cause"), [("nowhere", "no such folder"), ("file", "not a folder")])
def test_a_folder_that_is_none_is_a_wrong_call(name: str, cause: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for load in (load_rule_set, list_profiles):
        with pytest.raises(UsageError) as caught:
            load(tmp_path / name)
        assert [(problem.cause, str(problem.place)) for problem in caught.value.problems] == [
            (cause, str(tmp_path / name))
        ]


def test_loading_needs_no_yaml_once_the_cache_is_filled() -> None:
    load_rule_set()
    code = (
        "import sys; from trainpolicy.engine import load_rule_set; load_rule_set(); "
        "print(sorted({'yaml', 'cerberus'} & {*sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
