"""A model server on this machine that speaks OpenAI chat completions and Anthropic messages.

For tests, benchmarks and examples: it answers legally from the schema or the menu that it is given
(:mod:`~diplomat.testing.loopback.player`), keeps account of prompt caches as providers do
(:mod:`~diplomat.testing.loopback.cache`), and goes wrong on request::

    with Loopback(delay=0.5, faults=0.1, seed=3) as server:
        client = openai.OpenAI(base_url=server.openai_url, api_key="any")
        server.script("rate_limited", "ok")  # what the next requests meet
        ...
        server.calls[0].body, server.stats()

or ``python -m diplomat.testing.loopback --delay 0.5 --faults 0.1``.  Reply and fault of a request
depend only on the seed, its body and how often this very body was seen.  Which of two calls
finds its beginning in the cache depends on their order, as it does at a provider.  A token is four
bytes of UTF-8 begun, of system, tools, schema and messages as JSON.

What the SDKs (openai 3.57, anthropic 2.14, no retries, a timeout) make of each fault: whole replies,
and after a semicolon streams where they differ.  *Good* is the reply that was meant, *last* or
*inside* of other text; a name with a number is an exception of the SDK with its ``status_code``;
names that no SDK has are Python's or httpx2's own, which come through unwrapped::

    fault             | openai                   | anthropic
    ok                | stop good                | end_turn good
    rate_limited      | RateLimitError 429       | RateLimitError 429
    rate_limited_bare | RateLimitError 429       | RateLimitError 429
    server_error      | InternalServerError 500  | InternalServerError 500
    bad_gateway       | InternalServerError 502  | InternalServerError 502
    overloaded        | InternalServerError 529  | OverloadedError 529
    denied            | AuthenticationError 401  | AuthenticationError 401
    no_credit         | RateLimitError 429       | PaymentRequiredError 402
    unknown_model     | NotFoundError 404        | NotFoundError 404
    too_long          | BadRequestError 400      | BadRequestError 400
    too_long_llamacpp | BadRequestError 400      | BadRequestError 400
    too_long_vllm     | BadRequestError 400      | BadRequestError 400
    too_long_unsaid   | BadRequestError 400; no chunks | BadRequestError 400; AssertionError
    hang              | APITimeoutError          | APITimeoutError
    hang_headers      | APITimeoutError          | APITimeoutError; httpx2.ReadTimeout
    hang_mid          | APITimeoutError          | APITimeoutError; httpx2.ReadTimeout
    drip              | never ends               | never ends
    cut               | APIConnectionError       | APIConnectionError; httpx2.RemoteProtocolError
    cut_early         | APIConnectionError       | APIConnectionError
    not_utf8          | UnicodeDecodeError       | UnicodeDecodeError
    not_json          | a str; no chunks         | a str; AssertionError
    error_in_body     | choices None; APIError   | content None; APIStatusError 200
    empty             | stop nothing             | end_turn nothing
    empty_length      | length nothing + thought | max_tokens nothing + thought
    truncated         | length no JSON           | max_tokens no JSON
    refusal           | stop refusal             | refusal nothing
    content_filter    | content_filter nothing   | BadRequestError 400
    broken_json       | stop no JSON             | end_turn no JSON
    prose             | stop no JSON             | end_turn no JSON
    fenced_prose      | stop no JSON             | end_turn no JSON
    two_objects       | stop good last           | end_turn good last
    fenced            | stop good inside         | end_turn good inside
    think_tags        | stop good last           | end_turn good last
    reasoning         | stop good + thought      | end_turn good + thought
    tool_call         | tool_calls call          | tool_use call
    wrong_types       | stop wrong JSON          | end_turn wrong JSON
    huge              | stop 10 MB               | end_turn 10 MB
    no_usage          | stop good, no usage      | end_turn good, no usage; AttributeError

To be known by who reads this:

- the server's own words tell causes of one class apart: OpenAI's ``code`` (``context_length_exceeded``,
  ``insufficient_quota``), Anthropic's ``type`` and message (``prompt is too long``);
- ``drip`` never ends: an SDK's timeout is for one read, so a limit for the whole call is the caller's own;
- ``choices None``, ``content None`` and ``a str`` are returned, not raised;
- ``error_in_body`` as a stream of Anthropic raises an ``APIStatusError`` with status 200; its ``type`` has the cause;
- ``not_json`` as a stream of OpenAI is a stream without chunks: no ``finish_reason`` means no reply;
- Anthropic's ``refusal`` and ``empty`` have no content block at all;
- ``no_usage`` breaks Anthropic's ``messages.stream()``, but not ``create(stream=True)``.
"""

from __future__ import annotations

from diplomat.testing.loopback.desk import Call
from diplomat.testing.loopback.faults import FAULTS
from diplomat.testing.loopback.server import Loopback
from diplomat.testing.loopback.settings import Settings
from diplomat.testing.loopback.spoken import Tokens

__all__ = ["FAULTS", "Call", "Loopback", "Settings", "Tokens"]
