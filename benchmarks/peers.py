"""The numNodes policy (rules/nodes/nodes.yaml) said in other engines, each as its own manual would have it.

A peer has two parts: ``context`` makes of a case what the engine wants to be given, and is never timed; ``decide``
makes of that the answer in the engine's own form, and ``read`` makes of the answer a pair of numbers to compare.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import cel
import rule_engine
import zen

__all__ = ["Case", "Peer", "cel_peer", "durable_host", "plain", "rule_engine_peer", "zen_peers"]

Answer = tuple[int | None, int | None]
"""The TrainJob's number of nodes and the job's number of pods; None where the policy is silent."""

MIN_WORKERS = 1


class Case(NamedTuple):
    """Facts of one decision: what the policy is asked about."""

    mpi: bool
    wanted: int | None
    suggested: int | None
    launcher_is_node: bool
    roles: tuple[str, ...]
    job: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """One way to take the decision."""

    name: str
    context: Callable[[Case], Any]
    decide: Callable[[Any], Any]
    read: Callable[[Any], Answer]
    decide_all: Callable[[Sequence[Any]], Any] | None = None
    """For engines that take many decisions in one call."""


def _context(case: Case) -> dict[str, Any]:
    """Flat names without dots: the quickest form for engines that convert what they are given."""
    return {
        "mpi": case.mpi,
        "trainJobNumNodes": case.wanted,
        "runtimeNumNodes": 1 if case.suggested is None else case.suggested,
        "runLauncherAsNode": case.launcher_is_node,
        "roles": list(case.roles),
        "jobName": case.job,
        "minWorkers": MIN_WORKERS,
    }


def _integer(value: Any) -> int | None:
    return None if value is None else int(value)


def _named(answer: Any) -> Answer:
    return _integer(answer.get("numNodes")), _integer(answer.get("pods"))


def _pair(answer: Any) -> Answer:
    return _integer(answer[0]), _integer(answer[1])


# --- a function -------------------------------------------------------------------------------------------------------


def _plain(facts: dict[str, Any]) -> tuple[int | None, int | None]:
    if not facts["mpi"]:
        return None, None
    nodes = facts["trainJobNumNodes"]
    if nodes is None and "trainer" in facts["roles"]:
        nodes = max(facts["runtimeNumNodes"], 1)
    job = facts["jobName"]
    if job == "launcher":
        return nodes, 1
    if job != "node" or nodes is None:
        return nodes, None
    return nodes, max(nodes - 1, facts["minWorkers"]) if facts["runLauncherAsNode"] else nodes


def plain() -> Peer:
    """The floor: the policy as code, which nobody reviews as rules."""
    return Peer(name="plain Python function", context=_context, decide=_plain, read=_pair)


# --- zen --------------------------------------------------------------------------------------------------------------

_NODES = "mpi ? (trainJobNumNodes ?? ('trainer' in roles ? max([runtimeNumNodes, 1]) : null)) : null"
_PODS = (
    "mpi ? (jobName == 'launcher' ? 1 : (jobName == 'node' and NODES != null "
    "? (runLauncherAsNode ? max([NODES - 1, minWorkers]) : NODES) : null)) : null"
)

_NODE_RULES = [
    ("mpi and trainJobNumNodes != null", "trainJobNumNodes"),
    ("mpi and trainJobNumNodes == null and 'trainer' in roles", "max([runtimeNumNodes, 1])"),
]
_POD_RULES = [
    ("mpi and jobName == 'node' and not runLauncherAsNode and numNodes != null", "numNodes"),
    ("mpi and jobName == 'node' and runLauncherAsNode and numNodes != null", "max([numNodes - 1, minWorkers])"),
    ("mpi and jobName == 'launcher'", "1"),
]


def _table(fields: list[str], output: str, rows: list[tuple[list[str], str]]) -> dict[str, Any]:
    return {
        "hitPolicy": "first",
        "passThrough": True,
        "inputs": [{"id": f"i{index}", "name": field, "field": field} for index, field in enumerate(fields)],
        "outputs": [{"id": "o", "name": output, "field": output}],
        "rules": [
            {"_id": str(number), **{f"i{index}": cell for index, cell in enumerate(cells)}, "o": value}
            for number, (cells, value) in enumerate(rows)
        ],
    }


def _graph(*nodes: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    """A decision graph whose nodes stand in one line."""
    middle = [
        {"id": f"n{index}", "name": f"n{index}", "type": kind, "content": content}
        for index, (kind, content) in enumerate(nodes)
    ]
    ends = [{"id": "in", "name": "in", "type": "inputNode"}, {"id": "out", "name": "out", "type": "outputNode"}]
    line = ["in", *(node["id"] for node in middle), "out"]
    edges = [
        {"id": f"e{index}", "type": "edge", "sourceId": first, "targetId": second}
        for index, (first, second) in enumerate(pairwise(line))
    ]
    return {"nodes": [ends[0], *middle, ends[1]], "edges": edges}


def _tables() -> dict[str, Any]:
    nodes = _table(
        ["mpi", "trainJobNumNodes", "roles"],
        "numNodes",
        [(["true", "$ != null", ""], "trainJobNumNodes"), (["true", "$ == null", "'trainer' in $"], _NODE_RULES[1][1])],
    )
    pods = _table(
        ["mpi", "jobName", "runLauncherAsNode", "numNodes"],
        "pods",
        [
            (["true", "'node'", "false", "$ != null"], _POD_RULES[0][1]),
            (["true", "'node'", "true", "$ != null"], _POD_RULES[1][1]),
            (["true", "'launcher'", "", ""], "1"),
        ],
    )
    return _graph(("decisionTableNode", nodes), ("decisionTableNode", pods))


def _expressions() -> dict[str, Any]:
    content = {
        "passThrough": False,
        "expressions": [
            {"id": "a", "key": "numNodes", "value": _NODES},
            {"id": "b", "key": "pods", "value": _PODS.replace("NODES", "$.numNodes")},
        ],
    }
    return _graph(("expressionNode", content))


def _by_rule() -> Callable[[dict[str, Any]], Any]:
    """Each rule an expression of its own, with null for does not hold."""
    nodes = [zen.compile_expression(f"{when} ? {value} : null").evaluate for when, value in _NODE_RULES]
    pods = [zen.compile_expression(f"{when} ? {value} : null").evaluate for when, value in _POD_RULES]

    def decide(context: dict[str, Any]) -> Any:
        number = None
        for rule in nodes:
            number = rule(context)
            if number is not None:
                break
        context["numNodes"] = number
        for rule in pods:
            count = rule(context)
            if count is not None:
                return number, count
        return number, None

    return decide


def _by_name() -> Callable[[dict[str, Any]], Any]:
    """One expression for each name that is decided."""
    nodes = zen.compile_expression(_NODES).evaluate
    pods = zen.compile_expression(_PODS.replace("NODES", "numNodes")).evaluate

    def decide(context: dict[str, Any]) -> Any:
        number = context["numNodes"] = nodes(context)
        return number, pods(context)

    return decide


def zen_peers() -> list[Peer]:
    """Every way that zen-engine offers, since which is best differs from version to version."""
    content = {"tables": _tables(), "expressions": _expressions()}
    engine = zen.ZenEngine({"loader": {"type": "static", "content": content}})
    result = lambda answer: _named(answer["result"])  # noqa: E731
    peers = [
        Peer(
            name=f"zen, static loader, {key}",
            context=_context,
            decide=lambda context, key=key: engine.evaluate(key, context),
            read=result,
        )
        for key in content
    ]
    decision = zen.ZenEngine().create_decision(json.dumps(content["expressions"]))
    peers.append(Peer(name="zen, decision held, expressions", context=_context, decide=decision.evaluate, read=result))
    peers.append(
        Peer(
            name="zen, static loader, batch",
            context=lambda case: {"key": "expressions", "context": _context(case)},
            decide=lambda request: engine.evaluate_batch([request])[0]["data"],
            read=result,
            decide_all=engine.evaluate_batch,
        )
    )
    peers.append(Peer(name="zen, compiled, one for each rule", context=_context, decide=_by_rule(), read=_pair))
    peers.append(Peer(name="zen, compiled, one for each name", context=_context, decide=_by_name(), read=_pair))
    nested = _PODS.replace("NODES", f"({_NODES})")
    merged = zen.compile_expression(f"{{numNodes: {_NODES}, pods: {nested}}}")
    peers.append(Peer(name="zen, compiled, merged by hand", context=_context, decide=merged.evaluate, read=_named))
    return peers


# --- cel and rule-engine ----------------------------------------------------------------------------------------------


def cel_peer() -> Peer:
    """common-expression-language: one program for each name."""
    nodes = cel.compile(
        "mpi ? (trainJobNumNodes != null ? trainJobNumNodes : ('trainer' in roles ? "
        "(runtimeNumNodes > 1 ? runtimeNumNodes : 1) : null)) : null"
    ).execute
    pods = cel.compile(
        "!mpi ? null : (jobName == 'launcher' ? 1 : ((jobName != 'node' || numNodes == null) ? null : "
        "(!runLauncherAsNode ? numNodes : (numNodes - 1 > minWorkers ? numNodes - 1 : minWorkers))))"
    ).execute

    def decide(context: dict[str, Any]) -> Any:
        number = context["numNodes"] = nodes(context)
        return number, pods(context)

    return Peer(name="common-expression-language", context=_context, decide=decide, read=_pair)


def rule_engine_peer() -> Peer:
    """rule-engine: conditions are rules, values are expressions."""
    larger = "({0} > {1} ? {0} : {1})"
    values = {
        "max([runtimeNumNodes, 1])": larger.format("runtimeNumNodes", "1"),
        "max([numNodes - 1, minWorkers])": larger.format("(numNodes - 1)", "minWorkers"),
    }

    def rules(pairs: list[tuple[str, str]]) -> list[tuple[Any, Any]]:
        return [
            (rule_engine.Rule(when.replace("'", '"')).matches, rule_engine.Rule(values.get(value, value)).evaluate)
            for when, value in pairs
        ]

    nodes, pods = rules(_NODE_RULES), rules(_POD_RULES)

    def decide(context: dict[str, Any]) -> Any:
        number = next((value(context) for holds, value in nodes if holds(context)), None)
        context["numNodes"] = number
        return number, next((value(context) for holds, value in pods if holds(context)), None)

    return Peer(name="rule-engine", context=_context, decide=decide, read=_pair)


# --- durable-rules ----------------------------------------------------------------------------------------------------


def durable_host() -> Peer:
    """durable-rules as its manual shows it: rules in Python, events posted to its Host, answers out of actions."""
    from durable.lang import m, post, ruleset, when_all

    found: dict[str, Any] = {}

    with ruleset("nodes"):

        @when_all((m.kind == "nodes") & (m.mpi == True) & (m.wanted >= 0))  # noqa: E712
        def from_train_job(c: Any) -> None:
            found["numNodes"] = c.m.wanted

        @when_all((m.kind == "nodes") & (m.mpi == True) & (m.said == False) & (m.trains == True))  # noqa: E712
        def from_runtime(c: Any) -> None:
            found["numNodes"] = max(c.m.suggested, 1)

        @when_all((m.kind == "pods") & (m.mpi == True) & (m.job == "node") & (m.both == False) & (m.nodes >= 0))  # noqa: E712
        def every_node(c: Any) -> None:
            found["pods"] = c.m.nodes

        @when_all((m.kind == "pods") & (m.mpi == True) & (m.job == "node") & (m.both == True) & (m.nodes >= 0))  # noqa: E712
        def launcher_is_a_node(c: Any) -> None:
            found["pods"] = max(c.m.nodes - 1, MIN_WORKERS)

        @when_all((m.kind == "pods") & (m.mpi == True) & (m.job == "launcher"))  # noqa: E712
        def one_launcher(c: Any) -> None:  # noqa: ARG001
            found["pods"] = 1

    def send(event: dict[str, Any]) -> None:
        from durable.engine import MessageNotHandledException

        try:
            post("nodes", event)
        except MessageNotHandledException:
            return

    def decide(facts: dict[str, Any]) -> Any:
        found.clear()
        wanted, count = facts["trainJobNumNodes"], facts["runtimeNumNodes"]
        event = {
            "kind": "nodes",
            "mpi": facts["mpi"],
            "said": wanted is not None,
            "trains": "trainer" in facts["roles"],
        }
        send({**event, "suggested": count, **({} if wanted is None else {"wanted": wanted})})
        event = {"kind": "pods", "mpi": facts["mpi"], "job": facts["jobName"], "both": facts["runLauncherAsNode"]}
        nodes = found.get("numNodes")
        send({**event, **({} if nodes is None else {"nodes": nodes})})
        return nodes, found.get("pods")

    return Peer(name="durable-rules, its own Host", context=_context, decide=decide, read=_pair)
