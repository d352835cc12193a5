import { headerName } from '#catalogue/headers.ts'
import { defineTestFramework } from '../generators.ts'

export default defineTestFramework({
  id: 'pytest',
  label: 'pytest',
  folder: 'fixtures',
  test: ({ brand, header }) => ({
    path: 'test_webhooks.py',
    text: `"""${header.join('\n')}
"""

import hashlib
import hmac
import os
import urllib.error
import urllib.request
from pathlib import Path

import pytest

URL = os.environ.get("WEBHOOK_URL", "http://127.0.0.1:3000/webhooks")
SECRET = os.environ.get("WEBHOOK_SECRET", "test-secret")
FIXTURES = sorted((Path(__file__).parent / "fixtures").glob("*.json"))


class NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args):
        return None


# Not through a proxy of the environment.
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), NoRedirects)


def sign(body: bytes) -> str:
    """Of the exact bytes: a parsed and formatted body has another signature."""
    return hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()


def send(fixture: Path, body: bytes, signature: str | None) -> int:
    """Returns the status of the response."""
    lines = fixture.with_suffix(".headers").read_text(encoding="utf-8").splitlines()
    headers = dict(line.split(": ", 1) for line in lines if line)
    if signature is not None:
        headers["${headerName(brand, 'signature')}"] = signature
    request = urllib.request.Request(URL, data=body, headers=headers, method="POST")
    try:
        with opener.open(request, timeout=10) as response:
            return response.status
    except urllib.error.HTTPError as error:
        error.close()
        return error.code


@pytest.fixture(params=FIXTURES, ids=lambda path: path.stem)
def fixture(request) -> Path:
    return request.param


@pytest.fixture
def body(fixture: Path) -> bytes:
    return fixture.read_bytes()


def test_accepts_a_valid_signature(fixture, body):
    assert 200 <= send(fixture, body, sign(body)) < 300


def test_rejects_a_changed_body(fixture, body):
    # It is still valid JSON: only its signature is wrong.
    assert 400 <= send(fixture, body + b" ", sign(body)) < 500


def test_rejects_a_missing_signature(fixture, body):
    assert 400 <= send(fixture, body, None) < 500


def test_accepts_a_repeated_delivery(fixture, body):
    assert 200 <= send(fixture, body, sign(body)) < 300
    assert 200 <= send(fixture, body, sign(body)) < 300
`,
  }),
})
