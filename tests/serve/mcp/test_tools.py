"""Every tool, called by the protocol's own client over every transport."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from anyio.from_thread import BlockingPortal
from jsonschema import Draft202012Validator

from mnemolog import Memory, WordPieces
from mnemolog.ledger.errors import InvalidField
from mnemolog.serve.mcp.results import Whole
from mnemolog.serve.mcp.tools import DEFAULT, NAMES, TOOLS, Tool, schema_of, tools_named
from tests.homes import open_home
from tests.serve.mcp.clients import Connected, offered

UNKNOWN = "0a" * 16


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """The space `default` of an empty home."""
    with open_home(tmp_path / "home") as opened:
        yield opened


def test_what_is_remembered_is_recalled(client: Connected, space: str) -> None:
    """A memory comes back with its id, source, time and relevance, and nothing that is ordinary."""
    stored = client.call(
        "remember", content="Dana prefers green tea", source="user:dana", space=space
    )
    assert stored["position"]
    found = client.call("recall", cue="what tea does Dana prefer?", space=space)
    (hit,) = found["hits"]
    assert hit["memory_id"] == stored["memory_id"]
    assert hit["content"] == "Dana prefers green tea"
    assert hit["source"] == "user:dana"
    assert 0 < hit["relevance"] <= 1
    assert set(hit) == {"memory_id", "content", "recorded_at", "relevance", "source"}
    assert found["support"] in {"strong", "weak"}


def test_every_field_of_a_memory_arrives(client: Connected, space: str) -> None:
    """Kind, tags, valid time, importance and an id of one's own are kept; the id is idempotent."""
    given = {
        "content": "Ben reviews the parser on Mondays",
        "kind": "procedural",
        "source": "agent:planner",
        "tags": ["parser"],
        "valid_from": "2026-01-01",
        "valid_until": "2999-01-01T00:00:00Z",
        "importance": "high",
        "id": f"{abs(hash(space)) % (1 << 64):032x}",
        "space": space,
    }
    first = client.call("remember", **given)
    again = client.call("remember", **given)
    assert again["position"] == first["position"]
    found = client.call(
        "recall",
        cue="who reviews the parser?",
        kinds=["procedural"],
        tags=["parser"],
        source="agent:",
        space=space,
    )
    (hit,) = found["hits"]
    assert (hit["kind"], hit["tags"]) == ("procedural", ["parser"])
    assert hit["valid_from"] == "2026-01-01T00:00:00Z"
    assert client.call("recall", cue="the parser", kinds=["episodic"], space=space)["hits"] == []


def test_a_recall_explains_itself_when_asked(client: Connected, space: str) -> None:
    """`explain` adds the scores, and the trail of what a memory replaced."""
    old = client.call("remember", content="The demo is on Friday", space=space)
    client.call("supersede", old=old["memory_id"], content="The demo is on Monday", space=space)
    found = client.call("recall", cue="when is the demo?", explain=True, space=space)
    (hit,) = found["hits"]
    assert hit["content"] == "The demo is on Monday"
    assert [one["content"] for one in hit["trail"]] == ["The demo is on Friday"]
    assert hit["explanation"]["ranks"]
    assert found["why"]


def test_a_recall_goes_back_to_a_past_moment(client: Connected, space: str) -> None:
    """`as_of` takes a position, the same as a text or as notes have it, or a time."""
    old = client.call("remember", content="The office is in Berlin", space=space)
    new = client.call("supersede", old=[old["memory_id"]], content="It is in Lyon", space=space)
    before = new["position"] - 1
    for moment in (before, str(before), f"@{before}"):
        found = client.call("recall", cue="where is the office?", as_of=moment, space=space)
        assert [hit["content"] for hit in found["hits"]] == ["The office is in Berlin"]
        assert found["as_of"]["position"] == before
    found = client.call(
        "recall", cue="where is the office?", as_of=found["as_of"]["instant"], space=space
    )
    assert [hit["content"] for hit in found["hits"]] == ["The office is in Berlin"]
    told = client.call("history", memory_id=old["memory_id"], as_of=before, space=space)
    assert [event["kind"] for event in told["events"]] == ["remembered"]


def test_an_empty_recall_says_so(client: Connected, space: str) -> None:
    """Where the memory holds nothing there are no hits, and a sentence says that."""
    found = client.call("recall", cue="the price of copper", space=space)
    assert (found["hits"], found["support"]) == ([], "none")
    assert found["message"] == "The memory holds nothing on this."


def test_an_empty_recall_says_that_it_was_narrowed(client: Connected, space: str) -> None:
    """Where only some memories were asked for, nothing is said of the others."""
    client.call("remember", content="Copper costs nine dollars", tags=["metal"], space=space)
    for narrowed in ({"tags": ["price"]}, {"kinds": ["episodic"]}, {"source": "user:ann"}):
        found = client.call("recall", cue="what does copper cost?", space=space, **narrowed)
        assert found["message"] == "Within these filters the memory holds nothing on this."


def test_a_contradiction_is_told(client: Connected, space: str) -> None:
    """What `remember` contradicts stands in its result, with what became of it."""
    client.call("remember", content="Dana's office is in Berlin", source="user:dana", space=space)
    stored = client.call(
        "remember", content="Dana's office is in Lyon", source="user:dana", space=space
    )
    (conflict,) = stored["conflicts"]
    assert conflict["content"] == "Dana's office is in Berlin"
    assert conflict["outcome"] == "superseded"
    assert conflict["reason"]


def test_one_that_is_there_takes_the_place_of_others(client: Connected, space: str) -> None:
    """`supersede` takes one old memory or several, and `by` names what is stored already."""
    ids = [
        client.call("remember", content=text, space=space)["memory_id"]
        for text in ("The key rotates weekly", "Keys rotate on Mondays", "The key never rotates")
    ]
    done = client.call("supersede", old=ids[:2], by=ids[2], reason="new policy", space=space)
    retired = [one for one in done["changed"] if one.endswith(f"is superseded by {ids[2]}")]
    assert [one.split()[0] for one in retired] == ids[:2]
    told = client.call("history", memory_id=ids[0], space=space)
    assert any("new policy" in event["summary"] for event in told["events"])
    assert {event["actor"] for event in told["events"]} == {"agent:tester"}


def test_pins_hold_and_let_go(client: Connected, space: str) -> None:
    """A pinned memory comes first in a context; it can be pinned again, and let go."""
    stored = client.call("remember", content="Always answer in French", space=space)
    for _ in range(2):
        client.call(
            "pin", memory_id=stored["memory_id"], until="2999-01-01", reason="rule", space=space
        )
    found = client.call("context", prompt="what is the weather like?", space=space)
    assert stored["memory_id"] in found["memory_ids"]
    client.call("unpin", memory_id=stored["memory_id"], reason="done", space=space)
    assert "not pinned" in client.error("unpin", memory_id=stored["memory_id"], space=space)


def test_a_plan_ranks_options(client: Connected, space: str) -> None:
    """An option that a constraint speaks against comes last, with the sentence that says why."""
    client.call("remember", content="Dana is allergic to peanuts", space=space)
    found = client.call(
        "plan", goal="a lunch for Dana", options=["Peanut soup", "Mushroom risotto"], space=space
    )
    best, worst = found["options"]
    assert (best["option"], best["standing"]) == ("Mushroom risotto", "clean")
    assert (worst["option"], worst["standing"]) == ("Peanut soup", "violates")
    assert "ruled out" in worst["violations"][0]["why"]
    assert [one["content"] for one in found["constraints"]] == ["Dana is allergic to peanuts"]
    alone = client.call("plan", goal="a lunch for Dana", space=space)
    assert alone["options"] == []


def test_a_context_is_put_together_and_counted_as_used(client: Connected, space: str) -> None:
    """A context keeps to its budget, and its memories count as used once the call is answered."""
    stored = client.call(
        "remember", content="Dana prefers tabs to spaces", kind="preference", space=space
    )
    found = client.call(
        "context", prompt="tabs or spaces for Dana?", budget=200, task="format a file", space=space
    )
    assert "Dana prefers tabs to spaces" in found["text"]
    assert "format a file" in found["text"]
    assert found["tokens"] <= 200
    assert found["memory_ids"] == [stored["memory_id"]]
    # Uses are written together, before the next command at the latest.
    client.call("pin", memory_id=stored["memory_id"], space=space)
    told = client.call("history", memory_id=stored["memory_id"], space=space)
    assert [event["kind"] for event in told["events"]] == ["remembered", "recalled", "pinned"]


def test_a_session_finds_in_rounds_and_learns(client: Connected, space: str) -> None:
    """Votes by memory_id steer the next round; resolving tells what was learned."""
    for text in (
        "Dana prefers green tea in the morning",
        "The kettle for the tea is broken",
        "The tea shop closes at six",
        "Dana takes her tea with honey in the evening",
        "The cups for the tea stand on the upper shelf",
        "No tea is sold on Sundays",
    ):
        client.call("remember", content=text, space=space)
    begun = client.call("recall_session_start", query="tea", entity="Dana", limit=2, space=space)
    assert (begun["round"], begun["rounds_left"], len(begun["memories"])) == (0, 4, 2)
    first, second = (hit["memory_id"] for hit in begun["memories"])
    session = begun["session_id"]
    voted = client.call(
        "recall_vote", session_id=session, votes={first: "hot", second: "spark"}, space=space
    )
    assert voted["round"] == 1
    assert [branch["spark"] for branch in voted["spark_branches"]] == [second]
    assert first in {hit["memory_id"] for hit in voted["memories"]}
    done = client.call(
        "recall_resolve",
        session_id=session,
        accepted_memory_ids=[first],
        note="that was it",
        space=space,
    )
    assert done["learned"]
    assert done["updated"] >= 1
    told = client.error("recall_vote", session_id=session, votes={first: "cold"}, space=space)
    assert told.startswith("SessionOver: ")


@pytest.mark.parametrize(
    ("votes", "told"),
    [
        ({}, "InvalidField: votes: "),
        ({UNKNOWN: "hot"}, "NotShown: votes: "),
        ({"{shown}": "lukewarm"}, "InvalidField: votes"),
        ("hot", "InvalidField: votes: wants `object`"),
    ],
)
def test_a_bad_vote_leaves_the_session_as_it_was(
    client: Connected, space: str, votes: object, told: str
) -> None:
    """Votes on what was not shown, and what is no vote, are refused; the round is not over."""
    client.call("remember", content="Dana prefers green tea", space=space)
    begun = client.call("recall_session_start", query="tea", space=space)
    session, shown = begun["session_id"], begun["memories"][0]["memory_id"]
    if isinstance(votes, dict):
        votes = {key.format(shown=shown): vote for key, vote in votes.items()}
    text = client.error("recall_vote", session_id=session, votes=votes, space=space)
    assert text.startswith(told)
    voted = client.call("recall_vote", session_id=session, votes={shown: "hot"}, space=space)
    assert voted["round"] == 1


def test_history_tells_a_whole_chain(client: Connected, space: str) -> None:
    """Every event of a memory and of what replaced it, in order."""
    old = client.call("remember", content="The limit is 5 MB", space=space)
    client.call("supersede", old=old["memory_id"], content="The limit is 9 MB", space=space)
    told = client.call("history", memory_id=old["memory_id"], space=space)
    assert [event["kind"] for event in told["events"]] == ["remembered", "remembered", "superseded"]
    positions = [event["position"] for event in told["events"]]
    assert positions == sorted(positions)
    assert "earlier" not in told


def test_a_long_history_ends_with_the_latest(client: Connected, space: str) -> None:
    """It tells fifty events unless asked for more, the latest ones, and how many came before."""
    stored = client.call("remember", content="The kettle is blue", space=space)["memory_id"]
    for _ in range(30):
        client.call("pin", memory_id=stored, space=space)
        client.call("unpin", memory_id=stored, space=space)
    whole = client.call("history", memory_id=stored, limit=100, space=space)
    assert len(whole["events"]) == 61
    assert "earlier" not in whole
    told = client.call("history", memory_id=stored, space=space)
    assert (told["events"], told["earlier"]) == (whole["events"][11:], 11)
    last = client.call("history", memory_id=stored, limit=1, space=space)
    assert (last["events"], last["earlier"]) == (whole["events"][60:], 60)


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("remember", {}, "InvalidField: content: is missing"),
        ("remember", {"content": 7}, "InvalidField: content: wants `str`, not `int`"),
        ("remember", {"content": None}, "InvalidField: content: is missing"),
        ("remember", {"content": " \n"}, "EmptyContent: content: is empty"),
        ("remember", {"content": "x" * (1 << 20) + "y"}, "ContentTooLarge: content: takes"),
        ("remember", {"content": "x", "kind": "wish"}, "InvalidField: kind: "),
        ("remember", {"content": "x", "tags": "tea"}, "InvalidField: tags: wants `array`"),
        ("remember", {"content": "x", "tags": ["a", 3]}, "InvalidField: tags[1]: wants `str`"),
        ("remember", {"content": "x", "valid_from": "soon"}, "InvalidTime: valid_from: "),
        ("remember", {"content": "x", "valid_from": "2026-01-01T10:00"}, "InvalidTime: "),
        ("remember", {"content": "x", "id": "7"}, "InvalidField: id: "),
        ("remember", {"content": "x", "immutable": True}, "InvalidField: immutable: is unknown"),
        (
            "recall_resolve",
            {"session_id": "0" * 32, "accepted": []},
            "InvalidField: accepted: is unknown here; this tool takes session_id, accepted_memory",
        ),
        ("recall", {"cue": "  "}, "InvalidField: cue: "),
        ("recall", {"cue": "x" * 100_001}, "InvalidField: cue: has 100,001 characters of 100,000"),
        ("recall", {"cue": "x", "tags": ["t"] * 10_001}, "InvalidField: tags: are 10,001; give at"),
        ("context", {"prompt": "x" * 100_001}, "InvalidField: prompt: has 100,001 characters"),
        ("recall_session_start", {"query": "x" * 100_001}, "InvalidField: query: has 100,001"),
        (
            "recall_session_start",
            {"query": "x", "entity": "y" * 1_001},
            "InvalidField: entity: has 1,001 characters of 1,000 allowed; give a shorter one",
        ),
        ("plan", {"goal": "x" * 100_001}, "InvalidField: goal: has 100,001 characters of 100,000"),
        (
            "plan",
            {"goal": "x", "options": ["y" * 1_000] * 51},
            "InvalidField: options: have 51,000 characters of 50,000 allowed; give fewer at a time",
        ),
        (
            "recall_resolve",
            {"session_id": "0" * 32, "note": "x" * 10_001},
            "InvalidField: note: has 10,001 characters of 10,000 allowed",
        ),
        ("recall", {"cue": "x", "limit": 0}, "InvalidField: limit: wants `int` >= 1"),
        ("recall", {"cue": "x", "limit": "many"}, "InvalidField: limit: "),
        ("recall", {"cue": "x", "limit": True}, "InvalidField: limit: "),
        ("recall", {"cue": "x", "as_of": "yesterday"}, "InvalidTime: as_of: "),
        ("recall", {"cue": "x", "as_of": -1}, "UnknownPosition: "),
        ("recall", {"cue": "x", "as_of": "9" * 5000}, "UnknownPosition: "),
        ("recall", {"cue": "x", "as_of": "2999-01-01"}, "InvalidTime: as_of: has not come yet"),
        ("recall", {"cue": "x", "kinds": ["idea"]}, "InvalidField: kinds[0]: "),
        ("recall_session_start", {"query": ""}, "InvalidField: query: is empty"),
        ("recall_session_start", {"query": "x", "limit": 51}, "InvalidField: limit: wants"),
        ("recall_vote", {"session_id": "x", "votes": {UNKNOWN: "hot"}}, "UnknownSession: "),
        ("recall_resolve", {"session_id": UNKNOWN}, "UnknownSession: no recall session"),
        ("recall_resolve", {}, "InvalidField: session_id: is missing"),
        ("supersede", {"old": UNKNOWN, "content": "y"}, "UnknownMemory: no memory"),
        ("supersede", {"old": [], "content": "y"}, "InvalidField: old: names nothing"),
        ("supersede", {"old": UNKNOWN}, "InvalidField: content: or `by` is needed"),
        ("pin", {"memory_id": UNKNOWN}, "UnknownMemory: no memory"),
        ("pin", {"memory_id": ""}, "InvalidField: id: "),
        ("unpin", {"memory_id": "@999999"}, "Unknown"),
        ("plan", {"goal": "lunch", "options": "soup"}, "InvalidField: options: wants `array`"),
        ("plan", {"goal": "lunch", "options": [""]}, "InvalidField: options: hold an empty one"),
        ("plan", {"goal": " "}, "InvalidField: goal: is empty"),
        ("context", {"prompt": ""}, "InvalidField: prompt: is empty"),
        ("context", {"prompt": "x", "budget": 0}, "InvalidField: budget: wants `int` >= 1"),
        ("history", {"memory_id": "@1", "limit": 0}, "InvalidField: limit: "),
        ("history", {"memory_id": "zz"}, "InvalidField: id: 'zz' is not an id"),
        ("redact", {"memory_ids": [], "reason": "x"}, "InvalidField: memory_ids: "),
        ("redact", {"memory_ids": [UNKNOWN]}, "InvalidField: reason: is missing"),
        ("redact", {"memory_ids": [UNKNOWN], "reason": "x"}, "RedactionNotAllowed: agents may not"),
        ("forget", {}, "UnknownTool: tool: 'forget' is not offered"),
        ("recall", {"cue": "x", "space": ""}, "InvalidField: space: "),
        ("recall", {"cue": "x", "space": 7}, "InvalidField: space: is of type int"),
    ],
    ids=lambda value: str(value)[:40] if isinstance(value, str) else "",
)
def test_bad_input_is_told_so_that_it_can_be_mended(
    client: Connected, space: str, tool: str, arguments: dict[str, object], told: str
) -> None:
    """An error names its class, the field and the fix, and changes nothing."""
    text = client.error(tool, **{"space": "bad", **arguments})
    assert text.startswith(told)
    assert "; " in text
    assert "Traceback" not in text


def test_a_number_may_be_a_text_and_nothing_a_null(client: Connected, space: str) -> None:
    """What models write instead of a number, or for what they leave out, is taken for it."""
    found = client.call("recall", cue="tea", limit="3", kinds=None, as_of=None, space=space)
    assert found["hits"] == []


def test_an_immutable_memory_is_left_alone(portal: BlockingPortal, memory: Memory) -> None:
    """No tool overrides immutability, and the error tells a model to leave it to the user."""
    memory.configure({"agents_may_redact": True})
    rule = memory.remember("Never delete backups", immutable=True).memory_id
    with offered(portal, memory, "all") as client:
        for tool, arguments in (
            ("supersede", {"old": rule, "content": "Backups may go"}),
            ("redact", {"memory_ids": [rule], "reason": "asked to"}),
        ):
            told = client.error(tool, **arguments)
            assert told.startswith("ImmutableMemory: ")
            assert "tell the user" in told
            assert "override=" not in told
    assert memory.get(str(rule)).status == "active"


def test_agents_redact_where_a_person_allowed_it(portal: BlockingPortal, memory: Memory) -> None:
    """`redact` works in a space whose setting says so, and says what it destroyed."""
    stored = memory.remember("The PIN is 4711").memory_id
    given = {"memory_ids": [stored], "reason": "asked to"}
    with offered(portal, memory, "redact") as client:
        told = client.error("redact", **given)
        assert "mnemolog config agents_may_redact true --space default" in told
        memory.configure({"agents_may_redact": True})
        done = client.call("redact", **given)
    assert done["complete"]
    assert done["erased"] == [1]
    assert memory.get(str(stored)).content is None


def test_few_tools_are_offered_unless_more_are_asked_for(
    portal: BlockingPortal, memory: Memory
) -> None:
    """Without names the default set is offered, with names those alone, and no other can be called.

    An unknown name is refused.
    """
    with offered(portal, memory) as client:
        assert tuple(tool.name for tool in client.portal.call(client.client.list_tools).tools) == (
            DEFAULT
        )
        assert client.error("redact").startswith("UnknownTool: ")
    with offered(portal, memory, "history", "recall") as client:
        offers = client.portal.call(client.client.list_tools).tools
        assert [tool.name for tool in offers] == ["recall", "history"]
    with pytest.raises(InvalidField, match="'forget' is unknown"):
        tools_named(("recall", "forget"))


def test_the_tools_do_not_crowd_a_context() -> None:
    """What a model is shown of the default tools stays under 2,000 tokens, of all under 3,500.

    That is one to two in a hundred of the 200,000 tokens that models commonly take;
    punctuation counts a token each here, more than most models make of it.
    """
    count = WordPieces().count

    def shown(names: tuple[str, ...]) -> int:
        tools = tools_named(names)
        return sum(
            count(f"{tool.name} {tool.description} {json.dumps(tool.given)}") for tool in tools
        )

    assert shown(()) < 2_000
    assert shown(("all",)) < 3_500


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_argument_is_described_and_every_schema_is_one(tool: Tool) -> None:
    """Schemas are valid JSON Schema of objects; no argument goes without a few words, or null."""
    for schema in (tool.given, tool.gives):
        Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"
        assert "null" not in json.dumps(schema)
    properties = tool.given["properties"]
    assert isinstance(properties, dict)
    for name, argument in properties.items():
        assert 1 <= len(argument["description"].split()) <= 20, name
    assert tool.given["additionalProperties"] is False
    assert len(tool.description.split()) <= 40


def test_every_text_for_a_model_is_shown_to_it() -> None:
    """tools.toml describes the tools that there are, and fields that their schemas have."""
    texts = tomllib.loads(files("mnemolog.serve.mcp").joinpath("tools.toml").read_text("utf-8"))
    assert set(texts["tools"]) == set(NAMES)
    schemas = [value for tool in TOOLS for value in (tool.given, tool.gives)]
    shown = json.dumps([*schemas, schema_of(Whole)], ensure_ascii=False)
    for fields in texts["fields"].values():
        for name, text in fields.items():
            assert json.dumps(text, ensure_ascii=False) in shown, name


def test_every_tool_is_offered_and_fits_its_hints(client: Connected) -> None:
    """Tools that only look say so, one destroys, and none reaches beyond this machine."""
    tools = {tool.name: tool for tool in client.portal.call(client.client.list_tools).tools}
    assert tuple(tools) == NAMES
    hints = {name: tool.annotations for name, tool in tools.items()}
    looking = {"recall", "plan", "history"}
    assert {name for name, one in hints.items() if one.read_only_hint} == looking
    assert {name for name, one in hints.items() if one.destructive_hint} == {"redact"}
    assert {name for name, one in hints.items() if one.idempotent_hint} == {"redact"}
    assert all(one.open_world_hint is False for one in hints.values())
