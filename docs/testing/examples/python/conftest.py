"""A Zoneward for all tests of a session, reset before each. Needs `zoneward` on the path, or RUN_ZONEWARD."""

import json
import os
import re
import shlex
import subprocess
import urllib.request

import pytest

TOKEN = "a-token-for-the-tests-of-this-project-0001"


class Zoneward:
    def __init__(self, base_url):
        self.base_url = base_url
        self.token = TOKEN
        self.root = base_url.removesuffix("/client/v4")

    def call(self, method, url, body=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method)) as answer:
            return json.load(answer)["result"]

    def api(self, method, path, body=None):
        return self.call(method, self.base_url + path, body)

    def control(self, method, path, body=None):
        return self.call(method, f"{self.root}/test/v1{path}", body)


@pytest.fixture(scope="session")
def zoneward_server():
    command = shlex.split(os.environ.get("RUN_ZONEWARD", "zoneward"))
    flags = ["serve", "--ephemeral", "--port=0", "--test-controls", "--log-level=silent"]
    environment = {**os.environ, "ZONEWARD_OWNER_TOKEN": TOKEN}
    with subprocess.Popen(command + flags, env=environment, stdout=subprocess.PIPE, text=True) as server:
        line = next(line for line in server.stdout if "Base URL" in line)
        yield Zoneward(re.search(r"http\S+", line).group())
        server.terminate()


@pytest.fixture
def zoneward(zoneward_server):
    zoneward_server.control("POST", "/reset")
    return zoneward_server
