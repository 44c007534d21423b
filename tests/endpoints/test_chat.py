"""Chat models over HTTP, from a server that speaks as OpenAI-compatible endpoints do."""

from __future__ import annotations

import json
import socket
import threading
from time import monotonic

import pytest

from mnemolog import ModelFailed
from mnemolog.endpoints.chat import ChatModel
from mnemolog.endpoints.named_models import NamedModel, named_model
from tests.model_server import ServedModels

PATIENCE_S = 30.0
SCHEMA = {"type": "object"}
QUESTION = json.dumps({"new": {"text": "a"}, "old": [{"id": 1, "text": "b"}]})
VARIABLE = "MODEL_TEST_KEY"


def ask(models: ServedModels, model: str, *options: str, limit_s: float = PATIENCE_S) -> str:
    named = named_model("judge", models.setting(model, *options))
    assert named is not None
    return ChatModel(named, limit_s).answer("Judge.", QUESTION, SCHEMA)


def test_one_question_is_one_request(models: ServedModels) -> None:
    """It has the prompt, the question and the schema of the answer, and no key unless named."""
    answered = json.loads(ask(models, "right:one"))
    assert answered["answers"][0]["relation"] == "separate"
    (request,) = models.requests("right:one")
    assert (request["path"], request["token"]) == ("/v1/chat/completions", "")
    assert request["body"] == {
        "model": "right:one",
        "messages": [
            {"role": "system", "content": "Judge."},
            {"role": "user", "content": QUESTION},
        ],
        "temperature": 0,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "answer", "strict": True, "schema": SCHEMA},
        },
    }


def test_a_field_that_an_endpoint_refuses_can_be_left_out(models: ServedModels) -> None:
    """The error repeats what the endpoint says, and names the option."""
    with pytest.raises(ModelFailed, match="'temperature' does not support 0") as caught:
        ask(models, "fussy:one")
    assert "without=" in caught.value.fix
    assert "\n" not in str(caught.value)
    assert len(models.requests("fussy:one")) == 1
    ask(models, "fussy:two", "without=temperature,response_format")
    (request,) = models.requests("fussy:two")
    assert isinstance(request["body"], dict)
    assert request["body"].keys() == {"model", "messages"}


def test_a_key_comes_from_the_environment(
    models: ServedModels, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a key nothing is sent; a wrong one is refused; no error repeats it."""
    with pytest.raises(ModelFailed, match=f"{VARIABLE} holds no key"):
        ask(models, "secret:one", f"key={VARIABLE}")
    assert models.requests("secret:one") == []
    monkeypatch.setenv(VARIABLE, "open")
    with pytest.raises(ModelFailed, match=rf"refused access \(status 401\).*{VARIABLE}") as caught:
        ask(models, "secret:two", f"key={VARIABLE}")
    assert "sesame" not in str(caught.value)
    assert len(models.requests("secret:two")) == 1
    monkeypatch.setenv(VARIABLE, "sesame\n")
    ask(models, "secret:three", f"key={VARIABLE}")
    assert [one["token"] for one in models.requests("secret:three")] == ["Bearer sesame"]
    with pytest.raises(ModelFailed, match="key=VARIABLE"):
        ask(models, "secret:four")


@pytest.mark.parametrize("model", ["recovering", "dropping", "crowded"])
def test_what_may_be_over_soon_is_tried_once_more(models: ServedModels, model: str) -> None:
    """A broken server, a connection that ends and a full queue get a second request."""
    ask(models, model)
    assert len(models.requests(model)) == 2


@pytest.mark.parametrize(
    ("model", "problem", "requests"),
    [
        ("broken", "answered with status 500", 2),
        ("busy", "takes no more requests", 1),
        ("moved", "sends us to another address", 1),
        ("missing", "is not there .*model 'missing' not found", 1),
        ("page", "form that is not known", 1),
        ("huge", "more than 256 KiB", 1),
        ("refusing", "gave an empty answer", 1),
        ("silent", "gave an empty answer", 1),
    ],
)
def test_no_answer_is_an_error(
    models: ServedModels, model: str, problem: str, requests: int
) -> None:
    """It is told as such, a redirect is not followed, and nothing is asked a third time."""
    with pytest.raises(ModelFailed, match=problem) as caught:
        ask(models, model)
    assert caught.value.model == f"{model} at 127.0.0.1"
    assert len(models.requests(model)) == requests


@pytest.mark.parametrize("model", ["slow", "dripping", "stalling"])
def test_the_time_limit_holds_over_the_whole_answer(models: ServedModels, model: str) -> None:
    """Also where it comes drop by drop, in its body or in its headers; and it is asked once."""
    begun = monotonic()
    with pytest.raises(ModelFailed, match="no answer in 1 s"):
        ask(models, model, limit_s=1)
    assert monotonic() - begun < PATIENCE_S
    assert len(models.requests(model)) <= 1


def test_an_endpoint_that_does_not_listen_is_an_error() -> None:
    """Where nobody listens, this is said."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        named = NamedModel(f"http://127.0.0.1:{held.getsockname()[1]}/v1", "m")
        with pytest.raises(ModelFailed, match="could not be asked"):
            ChatModel(named, PATIENCE_S).answer("Judge.", QUESTION, SCHEMA)


def test_a_proxy_is_not_asked_for_this_machine(
    models: ServedModels, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proxy of the environment gets no text for a model on this machine, but others'."""
    with socket.socket() as proxy:
        proxy.bind(("127.0.0.1", 0))
        proxy.listen()
        address = f"http://127.0.0.1:{proxy.getsockname()[1]}"
        for variable in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(variable, address)
            monkeypatch.setenv(variable.lower(), address)
        ask(models, "right:near")
        asked: list[bytes] = []

        def take() -> None:
            connection, _ = proxy.accept()
            with connection:
                asked.append(connection.recv(4096))

        thread = threading.Thread(target=take)
        thread.start()
        with pytest.raises(ModelFailed):
            ChatModel(NamedModel("https://model.invalid/v1", "m"), 5).answer("", QUESTION, SCHEMA)
        thread.join()
        assert asked[0].startswith(b"CONNECT model.invalid:443")
