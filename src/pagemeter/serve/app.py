"""The Starlette application of the local page; it accepts only requests from the page itself.

Any web page that is open in the same browser can send requests to this machine. Therefore every request must
have the token in its address and name this server as its host, and a request that changes something must come
from the page itself (its origin). Pages, reports and images are sent with a content security policy.
"""

from __future__ import annotations

import errno
import json
import os
import signal
from dataclasses import dataclass
from hmac import compare_digest
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route

from pagemeter.collection import run_config
from pagemeter.corpus.run_config import OPTIONAL_MARK
from pagemeter.errors import InputError, PagemeterError
from pagemeter.measure import EVERY, Measure
from pagemeter.presets import TOOL_PRESETS
from pagemeter.report.html import asset, content_security_policy, fill_template, report_policy, script
from pagemeter.report.html.overview import measure_meaning
from pagemeter.serve.jobs import SIDES, LimitError

if TYPE_CHECKING:
    import socket
    from collections.abc import Mapping

    from starlette.requests import Request
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from pagemeter.serve.jobs import Job, Jobs
    from pagemeter.serve.reports import Results

LOOPBACK = "127.0.0.1"

_STYLES = ("base.css", "form.css")
_MOST_JSON = 100_000  # bytes of a request without a file
_SAFE_METHODS = ("GET", "HEAD")
_IMAGES = {
    ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".webp": "image/webp",
    ".gif": "image/gif", ".svg": "image/svg+xml",
}  # fmt: skip
_NO_FRAMES = "frame-ancestors 'none'"
_IMAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
_HEADERS = (
    (b"cache-control", b"no-store"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
)


@dataclass(frozen=True, slots=True)
class Address:
    """The address of the page: a port of this machine, and a token that only its user knows.

    >>> Address(8000, "secret").url
    'http://127.0.0.1:8000/secret/'
    """

    port: int
    token: str

    @property
    def url(self) -> str:
        """The address of the form."""
        return f"http://{LOOPBACK}:{self.port}/{self.token}/"

    @property
    def hosts(self) -> tuple[str, str]:
        """The names of this server that requests may have."""
        return f"{LOOPBACK}:{self.port}", f"localhost:{self.port}"


# Protection


class Guard:
    """Refuses requests that are not from the page, and adds headers to all answers.

    Args:
        app: The application.
        address: The address of the page.

    """

    def __init__(self, app: ASGIApp, address: Address) -> None:
        self._app, self._address = app, address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *_HEADERS]
            await send(message)

        reason = self._refusal(scope)
        app = PlainTextResponse(f"{reason}\n", 403) if reason else self._app
        await app(scope, receive, send_guarded)

    def _refusal(self, scope: Scope) -> str | None:
        """Return why a request is refused."""
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        if len(hosts) != 1 or hosts[0] not in self._address.hosts:
            return "This server answers only requests to its own address."
        token = scope["path"].split("/")[1] if scope["path"].startswith("/") else ""
        if not compare_digest(token.encode(), self._address.token.encode()):
            return "The address has no valid token. Open the address that pagemeter printed."
        origins = [value.decode("latin-1") for name, value in scope["headers"] if name == b"origin"]
        if any(origin != f"http://{hosts[0]}" for origin in origins):
            return "The request comes from another page."
        if scope["method"] not in _SAFE_METHODS and not origins:
            return "The request does not say from which page it comes."
        return None


# Answers


class Service:
    """The answers to all requests.

    Args:
        jobs: The jobs.
        results: Reports on this machine that are shown as well.

    """

    def __init__(self, jobs: Jobs, results: Results | None = None) -> None:
        self._jobs, self._results = jobs, results

    @property
    def routes(self) -> list[Route]:
        """The addresses below the token."""
        return [
            Route("/", self.form),
            Route("/jobs", self.list_jobs, methods=["GET"]),
            Route("/jobs", self.create, methods=["POST"]),
            Route("/jobs/{job}", self.remove, methods=["DELETE"]),
            Route("/jobs/{job}/evaluation", self.evaluate, methods=["POST"]),
            Route("/jobs/{job}/report.html", self.report),
            Route("/jobs/{job}/{side}", self.receive, methods=["PUT"]),
            Route("/results/{path:path}", self.result),
        ]

    async def form(self, _: Request) -> Response:
        """Send the page with the form."""
        code = script("form.js", _form_asset)
        data = {
            "presets": _presets(),
            "measures": [{"id": str(one), "meaning": measure_meaning(one)} for one in EVERY],
            "reports": self._reports(),
            "jobs": self._listed(),
        }
        values = {
            "style": "\n".join(map(_form_asset, _STYLES)),
            "data": json.dumps(data).replace("<", "\\u003c"),
            "script": code,
        }
        page = fill_template(_form_asset("form.html"), values)
        policy = f"{content_security_policy(code)}; connect-src 'self'; {_NO_FRAMES}"
        return HTMLResponse(page, headers={"content-security-policy": policy})

    async def list_jobs(self, _: Request) -> Response:
        """Send the state of all jobs."""
        return JSONResponse({"jobs": self._listed()})

    async def create(self, request: Request) -> Response:
        """Create a job that receives files."""
        title = (await _json(request)).get("title")
        job = self._jobs.create(title[:200] if isinstance(title, str) else "")
        return JSONResponse(job.as_dict(), 201)

    async def receive(self, request: Request) -> Response:
        """Receive a file."""
        job, name = self._receiving(request), request.query_params.get("name", "")
        side = next((one for one in SIDES if one == request.path_params["side"]), None)
        if side is None:
            raise HTTPException(404)
        size = request.headers.get("content-length", "")
        with self._jobs.receive(job, side, name, int(size) if size.isdecimal() else 0) as write:
            async for chunk in request.stream():
                write(chunk)
        return Response(status_code=204)

    async def evaluate(self, request: Request) -> Response:
        """Queue the evaluation of a job."""
        job, options = self._receiving(request), await _json(request)
        preset, measures = options.get("preset"), options.get("measures")
        if not isinstance(preset or "", str) or not isinstance(measures or [], list):
            raise HTTPException(400)
        ids = [_optional(one) for one in measures or ()]
        config = run_config(ids or None, None, None, {"preset": preset} if preset else {}, details=False)
        for side in SIDES:
            if not any((job.folder / side).iterdir()):
                raise InputError(
                    f"there are no files of the {'ground truth' if side == 'gt' else 'recognised pages'}"
                )
        self._jobs.evaluate(job, config)
        return JSONResponse(job.as_dict(), 202)

    async def remove(self, request: Request) -> Response:
        """Stop and remove a job."""
        self._jobs.remove(self._job(request))
        return Response(status_code=204)

    async def report(self, request: Request) -> Response:
        """Send the report of a job."""
        job = self._job(request)
        if job.state != "done":
            raise HTTPException(404)
        return _report_file(job.report)

    def result(self, request: Request) -> Response:
        """Send a report in the folder of results, or an image that it shows."""
        path = request.path_params["path"]
        if self._results is None or not self._results.reports:
            raise HTTPException(404)
        folder = self._results.folder
        target = Path(os.path.realpath(folder / path))
        media_type = _IMAGES.get(target.suffix.lower())
        if not target.is_relative_to(os.path.realpath(folder)) or not target.is_file():
            raise HTTPException(404)
        if path in self._results.reports:
            return _report_file(target)
        if media_type is None:
            raise HTTPException(404)
        return FileResponse(target, media_type=media_type, headers={"content-security-policy": _IMAGE_POLICY})

    def problem(self, _: Request, error: Exception) -> Response:
        """Send an error as JSON."""
        if isinstance(error, HTTPException):
            return JSONResponse({"error": error.detail}, error.status_code)
        if isinstance(error, PagemeterError):
            code = 413 if isinstance(error, LimitError) else 400
            return JSONResponse({"error": self._jobs.explain(error)}, code)
        is_full = isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)
        message = "there is no space left for temporary files" if is_full else "the file cannot be stored"
        return JSONResponse({"error": message}, 507 if is_full else 500)

    def _listed(self) -> list[dict[str, Any]]:
        return [job.as_dict() for job in self._jobs][::-1]

    def _reports(self) -> list[dict[str, str]]:
        names = self._results.reports if self._results else ()
        return [{"name": name, "address": result_address(name)} for name in names]

    def _job(self, request: Request) -> Job:
        job = self._jobs.get(request.path_params["job"])
        if job is None:
            raise HTTPException(404, "this evaluation was removed")
        return job

    def _receiving(self, request: Request) -> Job:
        job = self._job(request)
        if job.state != "receiving":
            raise HTTPException(409, "this evaluation has all its files already")
        return job


def result_address(name: str) -> str:
    """Return the address of a report in the folder of results, relative to the form.

    >>> result_address("run 1/report.html")
    'results/run%201/report.html'
    """
    return f"results/{quote(os.fsencode(name))}"


def _optional(name: str) -> str:
    """Return the id of a measure that is left out on pages without positions, if it needs them."""
    measure = Measure.parse(name)
    return f"{measure}{OPTIONAL_MARK if measure.geometry else ''}"


def _report_file(path: Path) -> Response:
    policy = f"{report_policy()}; {_NO_FRAMES}"
    headers = {"content-security-policy": policy}
    return FileResponse(path, media_type="text/html; charset=utf-8", headers=headers)


def _form_asset(name: str) -> str:
    """Return the text of an asset of the form, or of the report."""
    own = files(__package__) / "assets" / name
    return own.read_text(encoding="utf-8") if own.is_file() else asset(name)


def _presets() -> list[dict[str, str]]:
    own = {"name": "", "label": "none", "about": "The measures and settings of pagemeter."}
    return [own] + [
        {
            "name": preset.name,
            "label": f"{preset.name} {preset.version}",
            "about": f"The numbers of {preset.tool}.",
        }
        for preset in TOOL_PRESETS.values()
    ]


async def _json(request: Request) -> Mapping[str, Any]:
    """Return the JSON object in a request."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MOST_JSON:
            raise HTTPException(413)
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise HTTPException(400)
    return value


def make_app(address: Address, jobs: Jobs, results: Results | None = None) -> ASGIApp:
    """Return the application.

    Args:
        address: The address of the page.
        jobs: The jobs.
        results: Reports on this machine that are shown as well.

    """
    service = Service(jobs, results)
    handlers = dict.fromkeys((HTTPException, PagemeterError, OSError), service.problem)
    routes = [Mount(f"/{address.token}", routes=service.routes)]
    return Guard(Starlette(routes=routes, exception_handlers=handlers), address)


def run_app(app: ASGIApp, listening: socket.socket) -> None:
    """Answer requests until a signal arrives, and then handle the signal as before."""
    config = uvicorn.Config(
        app,
        http="h11",
        ws="none",
        loop="asyncio",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    hang_ups: list[int] = []

    def end(number: int, _: object) -> None:
        hang_ups.append(number)
        server.should_exit = True

    before = signal.getsignal(signal.SIGHUP)  # Uvicorn handles SIGINT and SIGTERM
    if callable(before):
        signal.signal(signal.SIGHUP, end)
    try:
        server.run(sockets=[listening])
    finally:
        signal.signal(signal.SIGHUP, before)
    for number in hang_ups:
        signal.raise_signal(number)
