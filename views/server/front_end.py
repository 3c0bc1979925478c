"""The request for the front ends of the components: ``front_end/…`` of the app."""

from functools import cache
from gzip import compress

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from views.export.front_end import address, script

FOR_GOOD = "public, max-age=31536000, immutable"


@cache
def _body(is_compressed: bool) -> bytes:
    text = script().encode()
    return compress(text) if is_compressed else text


def route(base: str) -> Route:
    """Answers with the script of this version. base: the path below which the app is served.

    It is compressed once, and not for each reader.
    """

    async def answer(request: Request) -> Response:
        if not request.url.path.endswith(address()):
            raise HTTPException(404)  # of another version: of a replica that has been replaced
        is_compressed = "gzip" in request.headers.get("accept-encoding", "")
        headers = {"Cache-Control": FOR_GOOD, "Vary": "Accept-Encoding"}
        if is_compressed:
            headers["Content-Encoding"] = "gzip"
        return Response(_body(is_compressed), headers=headers, media_type="text/javascript")

    below = f"/{base.strip('/')}" if base.strip("/") else ""
    return Route(f"{below}/front_end/{{file}}", answer)
