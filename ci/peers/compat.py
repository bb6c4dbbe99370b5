"""One face for the Python API of all moq-ffi releases from 0.2.11, whose clients have raw tracks, to 0.4.18.

0.2.18 is the first with a server.

The releases rename calls, move arguments into configuration records and change what an error is. Everything that
depends on the release is decided here, by looking at what the module offers; the scripts beside it know only these
names. Needs nothing but moq-ffi.
"""

import asyncio
import importlib.metadata
import inspect
import re

import moq_ffi as ffi

RELEASE = importlib.metadata.version("moq-ffi")

# Frames are plain bytes up to 0.2 and records with a timestamp from 0.3 on.
_FRAMES_ARE_BYTES = "payload" in inspect.signature(ffi.MoqGroupProducer.write_frame).parameters


async def settled(value):
    """The value itself, awaited first where this release made the call asynchronous."""
    return await value if inspect.isawaitable(value) else value


def log_to_stderr(level):
    """Turns on the stack's own log; does nothing where the release cannot."""
    if hasattr(ffi, "moq_log_level"):
        ffi.moq_log_level(level)


def describe_error(error):
    """An error as a JSON value: its text, the code on the wire where the release tells it, and its scope and kind."""
    description = {"class": type(error).__name__, "text": str(error), "code": None}
    details = getattr(error, "details", None)
    if details is not None:
        description.update(code=details.code, scope=details.scope.name, kind=details.kind.name)
    else:
        # Up to 0.3 an error is only a text, in which a code from the wire reads "remote error: code=13".
        code = re.search(r"\bcode=(\d+)", str(error))
        if code:
            description["code"] = int(code.group(1))
    return description


def new_origin(cache_bytes=None):
    """What sessions publish into and consume from. `cache_bytes` bounds its cache, from 0.3 on."""
    configuration = getattr(ffi, "MoqOriginConfig", None) or getattr(ffi, "MoqOriginOptions", None)
    if configuration is None:
        return ffi.MoqOriginProducer()
    if cache_bytes is None:
        return ffi.MoqOriginProducer(configuration())
    return ffi.MoqOriginProducer(configuration(cache_capacity_bytes=cache_bytes))


def _with_age(record, max_age_us):
    """The record with its staleness window set, whatever this release calls the field and in which unit it is."""
    if record is None:
        return None
    parameters = inspect.signature(record.__init__).parameters
    names = {"max_age_us": max_age_us, "latency_max_us": max_age_us, "latency_max_ms": max_age_us // 1000}
    for name, value in names.items():
        if name in parameters:
            return record(**{name: value})
    return record()


def subscription(max_age_us):
    """What a subscription wants, with its staleness window set where the release can."""
    return _with_age(getattr(ffi, "MoqSubscription", None), max_age_us)


def track_info(max_age_us):
    """What a track is declared to be, with its staleness window set where the release can."""
    return _with_age(getattr(ffi, "MoqTrackInfo", None), max_age_us)


class Server:
    """A listening server; what sessions publish goes into the origin, and the origin is what they can subscribe to."""

    def __init__(self, address, origin, certificate=None, key=None):
        self._server = ffi.MoqServer()
        self._server.set_bind(address)
        if certificate is None:
            self._server.set_tls_generate(["localhost"])
        else:
            self._server.set_tls_cert([certificate])
            self._server.set_tls_key([key])
        self._server.set_publish(origin)
        self._server.set_consume(origin)

    async def listen(self):
        """Binds the socket; returns its address and the SHA-256 fingerprints of the certificates."""
        address = await self._server.listen()
        return address, self._server.cert_fingerprints()

    async def accept(self):
        """The next request for a session, or None when the server has ended."""
        request = await self._server.accept()
        return None if request is None else Request(request)

    def cancel(self):
        """Stops listening."""
        self._server.cancel()


class Request:
    """A client that asks for a session."""

    def __init__(self, request):
        self._request = request

    @property
    def path(self):
        """The path asked for; empty where the transport carries none (raw QUIC up to moq-lite 04)."""
        for name in ("path", "url"):
            found = getattr(self._request, name, lambda: None)()
            if found:
                return found
        return ""

    async def accept(self):
        """Lets the client in and returns the session."""
        accept = self._request.accept if hasattr(self._request, "accept") else self._request.ok
        return await accept()

    async def reject(self, code):
        """Turns the client away."""
        reject = self._request.reject if hasattr(self._request, "reject") else self._request.close
        await reject(code)


def end_session(session):
    """Ends a session as this release ends one in good order."""
    if hasattr(session, "shutdown"):
        session.shutdown()
    else:
        session.cancel(0)


def _trust(client, url, fingerprint):
    """Which certificate the client takes: of `http` it fetches the fingerprint itself; else the one with this
    fingerprint, where the release can be told so, or any.
    """
    if url.startswith("http:"):
        return
    if fingerprint and hasattr(client, "set_tls_fingerprints"):
        client.set_tls_fingerprints([fingerprint])
    elif hasattr(client, "set_tls_verify"):
        client.set_tls_verify(False)
    else:
        client.set_tls_disable_verify(True)


async def connect(url, *, publish=None, consume=None, fingerprint=None):
    """A client session; verifies the server by its fingerprint when one is given and not at all otherwise."""
    client = ffi.MoqClient()
    _trust(client, url, fingerprint)
    # The oldest clients choose their address themselves.
    if hasattr(client, "set_bind"):
        client.set_bind("127.0.0.1:0")
    if hasattr(client, "set_reconnect"):
        # 0.4 would reconnect in silence, and a lost session would look like a slow one.
        client.set_reconnect(False)
    if hasattr(client, "set_websocket_enabled"):
        # Else it would be raced against HTTP/3. Releases before 0.4.9 cannot be told; QUIC has 200 ms to win.
        client.set_websocket_enabled(url.startswith(("ws:", "wss:")))
    # A client without both origins does not offer both roles, and some releases then wait for ever.
    client.set_publish(publish or new_origin())
    client.set_consume(consume or new_origin())
    return await client.connect(url)


class Broadcast:
    """A broadcast that this side publishes."""

    def __init__(self, origin, path):
        self._origin = origin
        self._path = path
        self._announces_itself = hasattr(origin, "create_broadcast")
        self._broadcast = origin.create_broadcast(path) if self._announces_itself else ffi.MoqBroadcastProducer()

    def track(self, name, max_age_us):
        """A new track of raw frames; groups older than the age may be dropped, where the release lets one say so."""
        if "info" not in inspect.signature(self._broadcast.publish_track).parameters:
            return self._broadcast.publish_track(name)
        return self._broadcast.publish_track(name, _with_age(getattr(ffi, "MoqTrackInfo", None), max_age_us))

    def announce(self):
        """Announces the broadcast; 0.3 has done so when it was created."""
        if not self._announces_itself:
            self._origin.publish(self._path, self._broadcast)
        elif hasattr(self._broadcast, "announce"):
            self._broadcast.announce(ffi.MoqRoute())

    def close(self):
        """Ends the broadcast, and with it its announcement."""
        if hasattr(self._broadcast, "close"):
            self._broadcast.close()
        else:
            self._broadcast.finish()


def frame(payload, timestamp_us):
    """A payload as this release writes it."""
    return payload if _FRAMES_ARE_BYTES else ffi.MoqFrame(payload=payload, timestamp_us=timestamp_us)


def payload_of(read_frame):
    """The payload of a frame as this release reads it."""
    return getattr(read_frame, "payload", read_frame)


async def announced_broadcast(origin, path):
    """Waits until the path is announced and returns the broadcast to subscribe to."""
    announced = await settled(origin.consume().announced_broadcast(path))
    return await announced.available()


async def subscribe(broadcast, track, max_age_us):
    """Subscribes to a track, accepting groups of up to that age where the release lets one say so."""
    if "subscription" not in inspect.signature(broadcast.subscribe_track).parameters:
        return await settled(broadcast.subscribe_track(track))
    subscription = _with_age(getattr(ffi, "MoqSubscription", None), max_age_us)
    return await settled(broadcast.subscribe_track(track, subscription))


def fail_by(seconds, awaitable):
    """The awaitable with a deadline."""
    return asyncio.wait_for(awaitable, seconds)
