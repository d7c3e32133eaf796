"""Attacks with forged tokens."""

import base64
import hmac
import json
import random

from clients import log_in, request
from lab import attack
from server import KEY

OPTIONS = (
    ("--demo-user", "anna:secret"), ("--demo-user", "ben:secret"), ("--token-key-file", "{key}"), "--require-login")


def encode(data):
    data = data if isinstance(data, bytes) else json.dumps(data).encode()
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def signed(header, claims, key=KEY, digest="sha256"):
    text = f"{encode(header)}.{encode(claims)}"
    return f"{text}.{encode(hmac.digest(key, text.encode(), digest))}"


HEADER = {"alg": "HS256", "typ": "JWT"}


class Player:
    def __init__(self, port, name="anna"):
        answer = json.loads(log_in(port, name, "secret").body)
        self.port, self.token, self.id = port, answer["token"], answer["userId"]
        self.claims = json.loads(decode(self.token.split(".")[1]))

    def status(self, token):
        return request(
            self.port, f"/v2/player/{self.id}/wallet", headers={"Authorization": f"Bearer {token}"}, timeout=2).status


@attack(*OPTIONS, topic=None)
def forged_tokens(lab):
    """Tokens without a signature, with that of another key or algorithm, of another user, or with random changes.
    Each is refused with 401, the true one is accepted."""
    player = Player(lab.port)
    other = Player(lab.port, "ben")
    head, body, signature = player.token.split(".")
    forged = {
        "no algorithm": f"{encode({'alg': 'none'})}.{body}.", "NONE": f"{encode({'alg': 'NONE'})}.{body}.{signature}",
        "no signature": f"{head}.{body}.", "two parts": f"{head}.{body}", "empty": "", "dots": "...",
        "other key": signed(HEADER, player.claims, b"x" * 32), "empty key": signed(HEADER, player.claims, b""),
        "HS512": signed({"alg": "HS512"}, player.claims, KEY, "sha512"),
        "claims of another": f"{head}.{other.token.split('.')[1]}.{signature}",
        "session of another": signed(HEADER, {**player.claims, "sid": other.claims["sid"]}),
        "invented session": signed(HEADER, {**player.claims, "sid": "0"}),
        "long": "a" * 8000,
        "key in the header": signed({"alg": "HS256", "jwk": {"k": encode(b"x")}}, player.claims, b"x"),
        "expired": signed(HEADER, {**player.claims, "exp": 1}),
    }
    dice = random.Random(1)
    for place in range(200):
        token = bytearray(player.token.encode())
        # The last character has bits that do not count.
        where = dice.randrange(len(token) - 1)
        token[where] = dice.choice([c for c in b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJ012345-_." if c != token[where]])
        forged[f"change {place}"] = token.decode()
    accepted = [name for name, token in forged.items() if player.status(token) != 401]
    lab.equal("accepted", accepted, [])
    lab.equal("status of the true one", player.status(player.token), 200)


@attack(*OPTIONS, topic=None)
def extreme_tokens(lab):
    """Tokens with the right key and with extreme or wrong values as times and ids.
    None of them ends the server."""
    player = Player(lab.port)
    values = [1 << 62, -(1 << 62), (1 << 63) - 1, -(1 << 63), 1 << 64, 9223372036854776, -9223372036854776, 10**400,
              1e300, -1e300, 1.5, 0, "1", None, True, [], {}, "x" * 500]
    for claim in ("exp", "iat", "sid", "sub"):
        for value in values:
            status = player.status(signed(HEADER, {**player.claims, claim: value}))
            if not lab.server.is_running or status == 0:
                return lab.fail(f"'{claim}': {value} ended the server with status {lab.server.process.wait(5)}")
    for data in (b"", b"[]", b"null", b"{", b"\xff" * 20, b"[" * 600):
        player.status(signed(HEADER, data))
    lab.equal("status of the true one", player.status(player.token), 200)
