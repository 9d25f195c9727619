"""``diplomat models``: which language models can take a seat, and whether one answers."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from diplomat.cli.options import AsJson, examples
from diplomat.core.errors import UsageError

if TYPE_CHECKING:
    from diplomat.llm.prices import Price
    from diplomat.llm.probe import Probe

app = typer.Typer(
    help="List and check language models.",
    rich_markup_mode=None,
    epilog=examples("diplomat models", "diplomat models check openai:gpt-4o-mini"),
)


@app.callback(invoke_without_command=True)
def _top(context: typer.Context) -> None:
    """List and check language models."""
    if context.invoked_subcommand is None:
        list_models()


@app.command("list", epilog=examples("diplomat models list", "diplomat models list --json"))
def list_models(json: AsJson = False) -> None:
    """List the models whose price is known, what they cost, and whether a key for them is set."""
    import sys

    from rich.table import Table

    from diplomat.cli.playing import print_json
    from diplomat.cli.tables import show_table
    from diplomat.llm.local import missing
    from diplomat.llm.prices import Prices, as_of
    from diplomat.terminal.ladder import console, level

    rows = [(name, price, _has_key(name)) for name, price in Prices.load().listed()]
    absent = missing()
    if json:
        priced = [{"model": name, "key": key, **_usd(price)} for name, price, key in rows]
        print_json({"as_of": as_of(), "models": priced, "local": absent or "ready"})
        return
    table = Table("model", "input", "cached", "output", "key", title=f"USD per million tokens, as of {as_of()}")
    for name, price, key in rows:
        cells = (f"{price.input.normalize():f}", f"{price.cached.normalize():f}", f"{price.output.normalize():f}")
        table.add_row(name, *cells, "set" if key else "not set")
    out = console(level("auto", sys.stdout), sys.stdout)
    show_table(out, table)
    out.print(f"local: {absent or 'ready; plays on this machine, without a key'}", markup=False)
    out.print(
        "Any server of the OpenAI protocol: http://HOST:PORT/v1#MODEL; 'diplomat models check http://HOST:PORT/v1' "
        "lists its models.",
        markup=False,
    )


def _has_key(name: str) -> bool:
    from diplomat.llm.keys import key_of
    from diplomat.llm.names import is_model_name, parse

    try:
        return is_model_name(name) and key_of(parse(name)) is not None
    except UsageError:
        return False


def _usd(price: Price) -> dict[str, float]:
    return {name: float(value) for name, value in asdict(price).items()}


@app.command(
    epilog=examples("diplomat models check local", "diplomat models check http://127.0.0.1:8080/v1#qwen3"),
)
def check(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A model, as in --seat; or just a server's address.")],
    json: AsJson = False,
) -> None:
    """Ask a model for one tiny reply in every form, and remember the best form it holds to."""
    import asyncio

    from diplomat.cli.playing import print_json
    from diplomat.llm.known import Known
    from diplomat.llm.names import parse, server
    from diplomat.llm.prices import Prices
    from diplomat.llm.probe import probe
    from diplomat.session.models import served

    endpoint = server(name) if name.startswith(("http://", "https://")) else parse(name)
    with served((endpoint,), running=True) as places:
        found = asyncio.run(probe(places[endpoint], known=Known()))
    price = Prices.load().of(endpoint)
    if json:
        print_json({**_found(name, found), "price": None if price is None else _usd(price)})
    else:
        _tell(name, found, price)
    if not found.reachable or (endpoint.model != "*" and found.best is None):
        raise typer.Exit(1)


def _found(name: str, found: Probe) -> dict[str, Any]:
    return {
        "model": name,
        "reachable": found.reachable,
        "fault": found.fault,
        "models": list(found.models),
        "listed": found.listed,
        "modes": dict(found.modes),
        "best": found.best,
        "latency": found.latency,
    }


def _tell(name: str, found: Probe, price: Price | None) -> None:
    from diplomat.terminal.safe import one_line

    lines = [f"{name}: {'reachable' if found.reachable else 'not reachable'}"]
    if found.fault:
        lines.append(f"  {found.fault}")
    if found.models:
        lines.append(f"  models of this server: {', '.join(found.models[:20])}{' …' if len(found.models) > 20 else ''}")
    if found.listed is False:
        lines.append("  the server does not list this model")
    lines.extend(f"  {mode}: {held}" for mode, held in found.modes.items())
    if found.best:
        lines.append(f"  best: {found.best} (remembered)")
    if found.latency is not None:
        lines.append(f"  quickest reply: {found.latency:.2f} s")
    if found.endpoint.model != "*":
        known = "not known; a budget needs one" if price is None else _price(price)
        lines.append(f"  price: {known}")
    for line in lines:
        typer.echo(one_line(line) if not line.startswith(" ") else "  " + one_line(line))


def _price(price: Price) -> str:
    if price.free:
        return "free, it runs on a machine of your own"
    return f"{price.input.normalize():f} in, {price.output.normalize():f} out, USD per million tokens"
