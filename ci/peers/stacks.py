#!/usr/bin/env python3
"""Handshakes between moqspec and QUIC and HTTP/3 stacks that have nothing to do with it: aioquic and qh3 (PyPI).

As clients of `moqspec relay` and as servers of `moqspec run` they agree on a version by ALPN and by WebTransport's
headers, exchange SETUP and ask for announcements. The bytes of moq-lite are written out here by hand. Prints one JSON
line, `result`, with the checks and how they ended. Needs the environment `tools` of `ci/setup --peers`.
"""

import argparse
import asyncio
import contextlib
import importlib
import os
import ssl
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import clients  # noqa: E402
from processes import Unexpected, free_port  # noqa: E402
from reporting import say  # noqa: E402

STACKS = ("aioquic", "qh3")
# Any one wait on loopback; a busy machine gets a lot more than the milliseconds that it takes.
WAIT_SECONDS = 10
# A run of moqspec with one case of 300 ms, its probe included.
RUN_SECONDS = 30

NO_APPLICATION_PROTOCOL = 0x100 + 120
UNROUTABLE = 54
ENABLE_CONNECT_PROTOCOL = 0x8
# WebTransport's older settings: a number of sessions, and two switches.
WEBTRANSPORT_SETTINGS = (0xC671706A, 0x2B603742, 0x2B603743)


def varint(number):
    """A number as QUIC writes it, in the shortest form."""
    for length, bits in ((1, 6), (2, 14), (4, 30), (8, 62)):
        if number < 1 << bits:
            return (number | (length.bit_length() - 1) << (8 * length - 2)).to_bytes(length, "big")
    raise ValueError(f"{number} does not fit")


class Reader:
    """Numbers and byte strings from the front of what came; raises IndexError when there is not enough yet."""

    def __init__(self, content):
        self._content = bytes(content)
        self._at = 0

    def take(self, length):
        if self._at + length > len(self._content):
            raise IndexError("not all there yet")
        self._at += length
        return self._content[self._at - length:self._at]

    def varint(self):
        length = 1 << (self.take(1)[0] >> 6)
        self._at -= 1
        return int.from_bytes(self.take(length), "big") & ((1 << (8 * length - 2)) - 1)

    def message(self):
        """The body of a message that begins with its length."""
        return Reader(self.take(self.varint()))

    @property
    def is_at_end(self):
        return self._at == len(self._content)


def message(body):
    return varint(len(body)) + body


def setup(parameters):
    """The SETUP stream of moq-lite 05 and 06, whole."""
    entries = b"".join(varint(name) + message(value) for name, value in parameters.items())
    return varint(1) + message(varint(len(parameters)) + entries)


def setup_parameters(content):
    """The parameters of a SETUP stream; raises IndexError when it is not whole yet."""
    reader = Reader(content)
    kind = reader.varint()
    require(kind == 1, f"the peer's first unidirectional stream is of type {kind}, not SETUP")
    body = reader.message()
    parameters = [(body.varint(), body.take(body.varint())) for _ in range(body.varint())]
    require(body.is_at_end and reader.is_at_end, "bytes follow the SETUP")
    require(len(dict(parameters)) == len(parameters), "a parameter of the SETUP is there twice")
    return dict(parameters)


def require(holds, text):
    """Raises Unexpected with the text unless it holds."""
    if not holds:
        raise Unexpected(text)


def mapped(code):
    """A stream's code as the original stack puts it on the wire, on raw QUIC too."""
    return 0x52E4A40FA8DB + code + code // 30


class Stack:
    """The modules of one stack, and sessions on it. The two have the same calls: qh3 descends from aioquic."""

    def __init__(self, name, certificate):
        self.name = name
        self._certificate = certificate
        self._module = {part: importlib.import_module(f"{name}.{part}") for part in (
            "asyncio", "quic.configuration", "quic.events", "h3.connection", "h3.events")}  # fmt: skip
        self._session = _session_class(**{part.replace(".", "_"): module for part, module in self._module.items()})

    def _configuration(self, is_client, protocols):
        return self._module["quic.configuration"].QuicConfiguration(
            is_client=is_client, alpn_protocols=protocols, max_datagram_frame_size=65535
        )

    @contextlib.asynccontextmanager
    async def connect(self, port, protocols):
        """A client session with ALPN; yields it when the handshake is over, and also when it was refused."""
        configuration = self._configuration(True, protocols)
        configuration.server_name = "localhost"
        configuration.verify_mode = ssl.CERT_NONE
        made = []

        def make(*arguments, **named):
            made.append(self._session(*arguments, **named))
            return made[0]

        try:
            async with self._module["asyncio"].connect(
                "127.0.0.1", port, configuration=configuration, create_protocol=make
            ) as session:
                yield session
        except ConnectionError:
            require(made and made[0].terminated is not None, "the connection was refused without a reason")
            yield made[0]

    @contextlib.asynccontextmanager
    async def serve(self, port, protocols):
        """A server with ALPN; yields the list of its sessions."""
        configuration = self._configuration(False, protocols)
        configuration.load_cert_chain(*self._certificate)
        sessions = []

        def make(*arguments, **named):
            sessions.append(self._session(*arguments, **named))
            return sessions[-1]

        server = await self._module["asyncio"].serve(
            "127.0.0.1", port, configuration=configuration, create_protocol=make
        )
        try:
            yield sessions
        finally:
            server.close()


def _session_class(asyncio, quic_configuration, quic_events, h3_connection, h3_events):
    """The class of a stack's sessions: they note what comes, by stream."""

    class Layer(h3_connection.H3Connection):
        """HTTP/3 with the settings of WebTransport in all generations."""

        def _get_local_settings(self):
            return {**super()._get_local_settings(), ENABLE_CONNECT_PROTOCOL: 1,
                    **dict.fromkeys(WEBTRANSPORT_SETTINGS, 1)}  # fmt: skip

    class Session(asyncio.QuicConnectionProtocol):
        def __init__(self, *arguments, **named):
            super().__init__(*arguments, **named)
            self.protocol = None
            self.layer = None
            self.session_stream = None
            self.headers = {}
            self.received = {}
            self.asked = set()
            self.answered = set()
            self.terminated = None
            self.serve = None

        def quic_event_received(self, event):
            if isinstance(event, quic_events.ProtocolNegotiated | quic_events.HandshakeCompleted):
                self.protocol = event.alpn_protocol
                if self.protocol == "h3" and self.layer is None:
                    self.layer = Layer(self._quic, enable_webtransport=True)
            elif isinstance(event, quic_events.ConnectionTerminated):
                self.terminated = event
            elif isinstance(event, quic_events.StreamDataReceived):
                # Neither stack knows an answer on a stream of WebTransport that it has opened itself.
                if self.layer is None or event.stream_id in self.asked:
                    self.received.setdefault(event.stream_id, bytearray()).extend(event.data)
                    event = None
            for news in self.layer.handle_event(event) if self.layer and event else ():
                if isinstance(news, h3_events.HeadersReceived):
                    self.session_stream = news.stream_id
                    self.headers = {name.decode(): value.decode() for name, value in news.headers}
                elif isinstance(news, h3_events.WebTransportStreamDataReceived):
                    self.received.setdefault(news.stream_id, bytearray()).extend(news.data)
            if self.serve:
                self.serve(self)

        def open_stream(self, content, unidirectional=False, end=False):
            """Opens a stream of moq-lite, within the WebTransport session when there is one; returns its id."""
            if self.layer:
                stream = self.layer.create_webtransport_stream(self.session_stream, unidirectional)
            else:
                stream = self._quic.get_next_available_stream_id(unidirectional)
            if not unidirectional:
                self.asked.add(stream)
            self.send(stream, content, end)
            return stream

        def send(self, stream, content, end=False):
            self._quic.send_stream_data(stream, content, end)
            self.transmit()

        def reset(self, stream, code):
            self._quic.reset_stream(stream, code)
            self.transmit()

        def request(self, path, protocols):
            """The CONNECT of WebTransport."""
            self.session_stream = self._quic.get_next_available_stream_id()
            headers = {":method": "CONNECT", ":protocol": "webtransport", ":scheme": "https", ":authority": "localhost",
                       ":path": path}  # fmt: skip
            if protocols:
                headers["wt-available-protocols"] = ", ".join(f'"{name}"' for name in protocols)
            self.layer.send_headers(self.session_stream, [(a.encode(), b.encode()) for a, b in headers.items()])
            self.transmit()

        def respond(self, headers):
            self.layer.send_headers(self.session_stream, [(a.encode(), b.encode()) for a, b in headers.items()])
            self.transmit()

    return Session


async def until(wanted, what):
    """Waits until `wanted` gives something, and returns that; IndexError is `not yet`."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + WAIT_SECONDS
    while loop.time() < deadline:
        with contextlib.suppress(IndexError):
            if found := wanted():
                return found
        await asyncio.sleep(0.005)
    raise Unexpected(f"there was no {what} within {WAIT_SECONDS} s")


def peers_setup(session, is_client):
    """The parameters of the peer's SETUP, once it is whole; raises IndexError before."""
    first = 0b11 if is_client else 0b10
    streams = [stream for stream in session.received if stream & 0b11 == first]
    return setup_parameters(session.received[min(streams)]) if streams else None


async def speak(session, parameters):
    """What a client of moq-lite 06 does first, and what a relay answers: its SETUP, and how much is announced."""
    session.open_stream(setup(parameters), unidirectional=True, end=True)
    stream = session.open_stream(varint(1) + message(message(b"")))
    answer = await until(lambda: peers_setup(session, True), "SETUP of the relay")
    require(5 in answer, f"the relay's SETUP does not say who it is: {answer}")
    require(not {2, 3} & set(answer), f"the relay's SETUP has what only a client's may have: {answer}")
    body = await until(lambda: Reader(session.received.get(stream, b"")).message(), "answer to the announce request")
    is_answer = body.varint() > 0 and body.varint() == 0 and body.is_at_end
    require(is_answer, "the announcements do not begin with ANNOUNCE_OK")


# As clients of `moqspec relay`.


async def setup_and_announce(stack, port):
    """moq-lite 06 on raw QUIC: the handshake, SETUP both ways, and an announce stream."""
    async with stack.connect(port, ["moq-lite-06"]) as session:
        require(session.protocol == "moq-lite-06", f"ALPN agreed on {session.protocol}")
        await speak(session, {1: varint(1), 2: b"/anon"})


async def relays_order(stack, port):
    """On raw QUIC the relay's order decides."""
    async with stack.connect(port, ["moql", "moq-lite-03", "moq-lite-06", "moq-lite-05"]) as session:
        require(session.protocol == "moq-lite-06", f"ALPN agreed on {session.protocol}")


async def unknown_protocol(stack, port):
    """Without a protocol in common there is no connection, and the alert says so."""
    async with stack.connect(port, ["moqspec-unknown"]) as session:
        terminated = await until(lambda: session.terminated, "refusal")
        require(terminated.error_code == NO_APPLICATION_PROTOCOL, f"refused with {terminated.error_code:#x}")


async def setup_exchange(stack, port):
    """`moql`: the version is agreed on in the setup exchange, by the client's order."""
    async with stack.connect(port, ["moql"]) as session:
        body = varint(2) + varint(0xFF0DAD01) + varint(0xFF0DAD02) + varint(0)
        stream = session.open_stream(b"\x20" + len(body).to_bytes(2, "big") + body)

        def answer():
            reader = Reader(session.received.get(stream, b""))
            kind = reader.take(1)[0]
            return kind, Reader(reader.take(int.from_bytes(reader.take(2), "big"))).varint()

        kind, version = await until(answer, "SERVER_SETUP")
        require((kind, version) == (0x21, 0xFF0DAD01), f"the answer is of type {kind:#x} and chose {version:#x}")


async def connected(session, path, protocols):
    require(session.layer, f"HTTP/3 was refused: {session.terminated}")
    session.request(path, protocols)
    await until(lambda: ":status" in session.headers, "answer to CONNECT")
    require(session.headers[":status"] == "200", f"CONNECT was answered with {session.headers}")


async def webtransport_session(stack, port):
    """moq-lite 06 on WebTransport: settings, CONNECT, SETUP both ways, and an announce stream."""
    async with stack.connect(port, ["h3"]) as session:
        await connected(session, "/anon", ["moq-lite-06", "moq-lite-05"])
        require(session.headers.get("wt-protocol") == '"moq-lite-06"', f"the answer is {session.headers}")
        await speak(session, {1: varint(1)})


async def clients_order(stack, port):
    """On WebTransport the client's order decides."""
    async with stack.connect(port, ["h3"]) as session:
        await connected(session, "/anon", ["moqspec-unknown", "moq-lite-04", "moq-lite-06"])
        require(session.headers.get("wt-protocol") == '"moq-lite-04"', f"the answer is {session.headers}")


async def no_protocol(stack, port):
    """Without a protocol in common the session is accepted and none is named: the setup exchange decides."""
    async with stack.connect(port, ["h3"]) as session:
        await connected(session, "/anon", ["moqspec-unknown"])
        require("wt-protocol" not in session.headers, f"the answer is {session.headers}")


# As servers of `moqspec run`.


def answer(session):
    """What the servers do: SETUP, CONNECT and announce requests are answered, other requests refused."""
    if session.layer and ":method" in session.headers and session.session_stream not in session.answered:
        session.answered.add(session.session_stream)
        offered = session.headers.get("wt-available-protocols", "")
        chosen = {"wt-protocol": '"moq-lite-06"'} if '"moq-lite-06"' in offered else {}
        session.respond({":status": "200", **chosen})
    for stream, content in list(session.received.items()):
        if stream in session.answered or not content:
            continue
        session.answered.add(stream)
        if stream & 0b11 == 0b10:
            session.open_stream(setup({5: varint(7)}), unidirectional=True, end=True)
        elif stream & 0b11 == 0 and content[0] == 1:
            session.send(stream, message(varint(7) + varint(0)))
        elif stream & 0b11 == 0:
            session.reset(stream, mapped(UNROUTABLE))


async def served(stack, protocols, transport, scheme, moqspec):
    """Plays handshake.yaml against a server on this stack; returns the session's facts."""
    port = free_port()
    async with stack.serve(port, protocols) as sessions:
        process = await asyncio.create_subprocess_exec(
            moqspec, "run", os.path.join(HERE, "handshake.yaml"), "--relay", f"{scheme}://127.0.0.1:{port}/anon?x=1",
            "--transport", transport, "--moq-version", "06", "--insecure", "--no-color",
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip

        async def serve():
            # Sessions are made before they can be told what to do.
            while True:
                for session in sessions:
                    session.serve = answer
                    answer(session)
                await asyncio.sleep(0.005)

        serving = asyncio.create_task(serve())
        try:
            output, _ = await asyncio.wait_for(process.communicate(), RUN_SECONDS)
        except TimeoutError:
            process.kill()
            raise Unexpected(f"moqspec did not end within {RUN_SECONDS} s") from None
        finally:
            serving.cancel()
    words = " / ".join(output.decode(errors="replace").split("\n")[-8:])
    require(process.returncode == 0, f"moqspec ended with status {process.returncode}: {words}")
    setups = []
    for session in sessions:
        with contextlib.suppress(IndexError):
            setups.append(peers_setup(session, False))
    require(any(setups), "no session of moqspec sent a SETUP")
    return sessions, [found for found in setups if found]


async def serves_raw(stack, moqspec):
    """Our client on raw QUIC: ALPN, and a SETUP with the path."""
    sessions, setups = await served(stack, ["moq-lite-06"], "quic", "moqt", moqspec)
    require(all(session.protocol == "moq-lite-06" for session in sessions if session.received), "ALPN failed")
    require(all(found.get(2) == b"/anon?x=1" for found in setups), f"not every SETUP has the path: {setups}")


async def serves_webtransport(stack, moqspec):
    """Our client on WebTransport: CONNECT with the path and the protocols, and a SETUP without a path."""
    sessions, setups = await served(stack, ["h3"], "webtransport", "https", moqspec)
    asked = [session.headers for session in sessions if session.headers]
    require(all(headers[":path"] == "/anon?x=1" for headers in asked), f"CONNECT asked for {asked}")
    require(all(2 not in found for found in setups), f"a SETUP has a path, which the URL has already: {setups}")


CLIENT_CHECKS = {
    "quic": (setup_and_announce, relays_order, unknown_protocol, setup_exchange),
    "webtransport": (webtransport_session, clients_order, no_protocol),
}
SERVER_CHECKS = {"quic": (serves_raw,), "webtransport": (serves_webtransport,)}


async def run(check, *arguments):
    """Runs one check; returns its verdict and what was wrong."""
    try:
        await asyncio.wait_for(check(*arguments), RUN_SECONDS + WAIT_SECONDS)
    except TimeoutError:
        return "fail", "it did not come to its end"
    except Unexpected as problem:
        return "fail", str(problem)
    except Exception as problem:  # Each stack has errors of its own, and none may end the other checks.
        return "fail", repr(problem)
    return "pass", ""


async def main(arguments):
    checks = []
    for stack in [Stack(name, arguments.certificate) for name in arguments.stack or STACKS]:
        with clients.Relay(arguments.moqspec) as relay:
            port = int(relay.url("moqt").split(":")[2].split("/")[0])
            plan = [("client", where, check, (stack, port)) for where in CLIENT_CHECKS
                    for check in CLIENT_CHECKS[where]]  # fmt: skip
            plan += [("server", where, check, (stack, arguments.moqspec)) for where in SERVER_CHECKS
                     for check in SERVER_CHECKS[where]]  # fmt: skip
            for role, transport, check, given in plan:
                verdict, detail = await run(check, *given)
                checks.append({"stack": stack.name, "role": role, "transport": transport, "name": check.__name__,
                               "verdict": verdict, "detail": detail})  # fmt: skip
    say("result", checks=checks)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moqspec", required=True, help="the executable")
    parser.add_argument("--certificate", nargs=2, required=True, metavar=("CERTIFICATE", "KEY"), help="PEM files")
    parser.add_argument("--stack", action="append", choices=STACKS, help="only this stack")
    asyncio.run(main(parser.parse_args()))
