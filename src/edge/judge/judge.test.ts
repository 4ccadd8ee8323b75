import assert from "node:assert/strict";
import { test } from "node:test";

import { onComparedEngines } from "../../../test/support/harness.ts";
import { ask, startJudge, type Question } from "../../../test/support/judge.ts";

/** The question of each proxy about `GET /path` of a visitor at 192.0.2.7. */
const questions: Readonly<
  Record<string, (path: string, method?: string, address?: string) => [path: string, Question]>
> = {
  nginx: (path, method = "GET", address = "192.0.2.7") => [
    "/nginx",
    {
      headers: {
        "x-original-method": method,
        "x-original-url": `https://www.example.com${path}`,
        "x-real-ip": address,
      },
    },
  ],
  envoy: (path, method = "GET", address = "192.0.2.7") => [
    `/envoy${path}`,
    {
      method,
      headers: {
        host: "www.example.com",
        "x-real-ip": address,
        "x-forwarded-proto": "https",
        "x-envoy-internal": "true",
        "content-length": "0",
      },
    },
  ],
  traefik: (path, method = "GET", address = "192.0.2.7") => [
    "/traefik",
    {
      headers: {
        "x-forwarded-method": method,
        "x-forwarded-proto": "https",
        "x-forwarded-host": "www.example.com",
        "x-forwarded-uri": path,
        "x-forwarded-for": address,
        "x-forwarded-server": "traefik-1",
      },
    },
  ],
  caddy: (path, method = "GET", address = "192.0.2.7") => [
    "/caddy",
    {
      headers: {
        "x-forwarded-method": method,
        "x-forwarded-proto": "https",
        "x-forwarded-host": "www.example.com",
        "x-forwarded-uri": path,
        "x-forwarded-for": address,
      },
    },
  ],
};

onComparedEngines("the judge", (engine) => {
  test("judges by each contract what the edge judges, and records it", async (t) => {
    const { app, zoneId, port } = await startJudge(t, engine);
    for (const [name, question] of Object.entries(questions)) {
      const asking = (path: string, method?: string, address?: string) =>
        ask(port, ...question(path, method, address));
      const allowed = await asking("/a/../b?c=d%20e");
      assert.equal(allowed.status, 200, `${name}: ${allowed.text}`);
      assert.equal(allowed.headers["x-zoneward-uri"], "/a/../b?c=d%20e");
      assert.match(String(allowed.headers["cf-ray"]), /^[0-9a-f]{16}-[A-Z]{3}$/);
      const denied = {
        "/teapot": [418, undefined],
        "/old": [308, "https://example.net/new"],
        "/prove": [403, undefined],
      } as const;
      for (const [path, [status, location]] of Object.entries(denied)) {
        const answer = await asking(path);
        assert.equal(answer.headers["x-zoneward-status"], String(status), `${name} ${path}`);
        assert.equal(answer.status, name === "nginx" ? 403 : status);
        const shown =
          name === "nginx"
            ? await ask(port, "/nginx/answer", {
                headers: { "x-zoneward-ray": String(answer.headers["cf-ray"]) },
              })
            : answer;
        assert.deepEqual([shown.status, shown.headers.location], [status, location], `${name} ${path}`);
        assert.equal(shown.headers["cf-ray"], answer.headers["cf-ray"]);
        if (path === "/teapot") assert.equal(shown.text, "a teapot");
        if (path === "/prove") assert.equal(shown.headers["cf-mitigated"], "challenge");
      }
      assert.equal((await asking("/", "GET", "203.0.113.9")).status, 403, `${name}: the visitor's address`);
      const mapped = await asking("/", "GET", "::ffff:203.0.113.9");
      assert.equal(mapped.status, 403, `${name}: the same of a dual-stack socket`);
      assert.equal((await asking("/", "DELETE")).status, 403, `${name}: the visitor's method`);
      const [path, { headers = {} }] = question("/");
      const elsewhere = Object.fromEntries(
        Object.entries(headers).map(([key, value]) => [
          key,
          String(value).replace("example.com", "example.org"),
        ]),
      );
      const unknown = await ask(port, path, { headers: elsewhere });
      assert.equal(unknown.headers["x-zoneward-status"], "409", `${name}: a host of no zone`);
    }
    const logged = await ask(port, ...(questions["traefik"]?.("/logged") ?? assert.fail()));
    assert.equal(logged.status, 200);
    const ray = String(logged.headers["cf-ray"]).split("-", 1)[0];
    const query = `{ viewer { zones(filter: { zoneTag: "${zoneId}" }) { firewallEventsAdaptive(limit: 10, filter: { rayName: "${ray}" }) { action clientIP clientRequestScheme clientRequestPath edgeResponseStatus } } } }`;
    let events: unknown[] = [];
    while (events.length === 0) {
      const answer = await app.request("POST", "/graphql", { body: { query } });
      events = JSON.parse(answer.text).data.viewer.zones[0].firewallEventsAdaptive;
    }
    assert.deepEqual(events, [
      {
        action: "log",
        clientIP: "192.0.2.7",
        clientRequestScheme: "https",
        clientRequestPath: "/logged",
        edgeResponseStatus: 0,
      },
    ]);
  });
});

test("tells what rules make of a request's target and headers", async (t) => {
  const { port } = await startJudge(t, "sqlite");
  for (const name of ["nginx", "traefik", "caddy"]) {
    const [path, { headers = {} }] = questions[name]?.("/from?q") ?? assert.fail();
    const sent = { ...headers, "x-gone": "a", "x-same": "b", "x-other": "c", "cf-connecting-ip": "forged" };
    const wanted = "?headers=X-Set,X-Gone,X-Same,CF-Connecting-IP";
    const verdict = await ask(port, path + wanted, { headers: sent });
    const told = ["x-set", "x-gone", "x-same", "x-other", "cf-connecting-ip", "x-zoneward-uri"];
    const gone = name === "caddy" ? "" : undefined;
    assert.deepEqual(
      told.map((header) => verdict.headers[header]),
      ["by a rule", gone, "b", undefined, "192.0.2.7", "/to?q"],
      name,
    );
  }
  const [path, { headers = {} }] = questions["envoy"]?.("/set") ?? assert.fail();
  const sent = { ...headers, "x-gone": "a", "x-same": "b", "x-envoy-peer": "d" };
  const { headers: told } = await ask(port, path, { headers: sent });
  assert.deepEqual(
    [told["x-set"], told["x-same"], told["x-envoy-auth-headers-to-remove"]],
    ["by a rule", undefined, "x-gone"],
  );
});

test("judges bodies where the contract carries them, and says where it does not", async (t) => {
  const { port } = await startJudge(t, "sqlite");
  const asking = (name: string, path: string, body: string, more: Question["headers"] = {}) => {
    const [at, { headers = {}, method }] = questions[name]?.(path, "POST") ?? assert.fail();
    const { "content-length": _, ...rest } = headers;
    return ask(port, at, { method: method ?? "POST", headers: { ...rest, ...more }, body });
  };
  for (const name of ["envoy", "traefik"]) {
    assert.equal((await asking(name, "/", "a secret")).status, 403, name);
    assert.equal((await asking(name, "/", "a".repeat(1_000_000))).status, 200, name);
    assert.equal((await asking(name, "/whole", "a".repeat(1_000_000))).status, 403, name);
    assert.equal((await asking(name, "/whole", "nothing of it")).status, 200, name);
  }
  const partial = { "x-envoy-auth-partial-body": "true" };
  assert.equal((await asking("envoy", "/whole", "a part", partial)).status, 403);
  for (const name of ["nginx", "caddy"]) {
    assert.equal((await asking(name, "/whole", "")).status, 403, name);
    assert.equal((await ask(port, ...(questions[name]?.("/whole") ?? assert.fail()))).status, 200, name);
  }
});

test("refuses questions that say too little or too much, whatever the visitor sends", async (t) => {
  const { port } = await startJudge(t, "sqlite", { trusted_proxies: ["192.0.2.8"] });
  for (const [name, question] of Object.entries(questions)) {
    const [path, { headers = {} }] = question("/");
    const demanded = Object.keys(headers).filter(
      (header) => !["host", "content-length", "x-envoy-internal", "x-forwarded-server"].includes(header),
    );
    for (const left of demanded) {
      const { [left]: _, ...rest } = headers;
      const refused = await ask(port, path, { headers: rest });
      assert.equal(refused.status, 400, `${name} without ${left}: ${refused.text}`);
      if (left === "x-forwarded-for") continue;
      const twice = await ask(port, path, { headers: { ...headers, [left]: [String(headers[left]), "a"] } });
      assert.equal(twice.status, 400, `${name} with two ${left}`);
    }
  }
  const told = async (forwardedFor: string) => {
    const [path, { headers = {} }] = questions["traefik"]?.("/") ?? assert.fail();
    return (await ask(port, path, { headers: { ...headers, "x-forwarded-for": forwardedFor } })).status;
  };
  assert.equal(await told("203.0.113.9, 192.0.2.7"), 200, "what a visitor says of itself is not believed");
  assert.equal(await told("203.0.113.9, 192.0.2.8"), 403, "what a trusted proxy says is");
  assert.equal((await ask(port, "/", {})).status, 404);
  const answer = await ask(port, "/cdn-cgi/challenge-platform/answer", { method: "POST", body: "answer=1" });
  assert.deepEqual([answer.status, answer.headers["set-cookie"]], [400, undefined]);
  const passedOn = { host: "www.example.com", "x-forwarded-proto": "http", "x-forwarded-for": "192.0.2.7" };
  const looking = await ask(port, "/cdn-cgi/challenge-platform/answer", { headers: passedOn });
  assert.equal(looking.status, 404, "there is nothing to see");
  assert.equal((await ask(port, "/nginx/answer", { headers: { "x-zoneward-ray": "none" } })).status, 403);
});

test("takes no path that a proxy may have resolved to another one for a question of Envoy", async (t) => {
  const { port } = await startJudge(t, "sqlite");
  const [, question] = questions["envoy"]?.("/") ?? assert.fail();
  const answer = "cdn-cgi/challenge-platform/answer";
  for (const path of [
    `/../${answer}`,
    `/%2e%2e/${answer}`,
    `/a/..%2F../${answer}?b`,
    `/a/../..//${answer}`,
  ]) {
    const refused = await ask(port, `/envoy${path}`, question);
    assert.deepEqual([refused.status, refused.headers["x-zoneward-uri"]], [400, undefined], path);
  }
  const within = await ask(port, "/envoy/a/%2e%2e/..b?/../..", question);
  assert.deepEqual([within.status, within.headers["x-zoneward-uri"]], [200, "/a/%2e%2e/..b?/../.."]);
});

test("answers nobody but the peers", async (t) => {
  const { port } = await startJudge(t, "sqlite", { edge_judge_peers: ["192.0.2.0/24"] });
  const [path, question] = questions["nginx"]?.("/") ?? assert.fail();
  assert.equal((await ask(port, path, question)).status, 403);
  assert.equal((await ask(port, "/nginx/answer", { headers: { "x-zoneward-ray": "none" } })).status, 403);
});

test("tells the log alone why a question is refused, as visitors may see the answer", async (t) => {
  const lines: string[] = [];
  const logTo = (line: string) => void lines.push(line);
  const answers: string[] = [];
  const peers = await startJudge(t, "sqlite", {}, { logTo });
  const [path, { headers = {} }] = questions["caddy"]?.("/") ?? assert.fail();
  const accept = "application/json";
  const { "x-forwarded-method": _, ...rest } = headers;
  const incomplete = await ask(peers.port, path, { headers: { ...rest, accept } });
  const elsewhere = [
    await ask(peers.port, "/elsewhere/1", { headers: { accept } }),
    await ask(peers.port, "/elsewhere/2", { headers: { accept } }),
  ];
  const solving = await ask(peers.port, "/cdn-cgi/challenge-platform/answer", { headers: { accept } });
  const others = await startJudge(t, "sqlite", { edge_judge_peers: ["192.0.2.0/24"] }, { logTo });
  const stranger = await ask(others.port, path, { headers: { ...headers, accept } });
  for (const { status, text, headers: answered } of [incomplete, ...elsewhere, solving, stranger]) {
    const { title, error_name, ray_id } = JSON.parse(text);
    assert.deepEqual(
      [title, error_name],
      [`Error ${status}: The request could not be judged`, "question_refused"],
    );
    assert.equal(`${ray_id}-ZWD`, answered["cf-ray"]);
    answers.push(text);
  }
  assert.doesNotMatch(answers.join(), /X-|edge_judge|127\.0\.0\.1|contract|elsewhere/i);
  const told = lines.flatMap((line) => {
    const { msg, ray } = JSON.parse(line) as { msg: string; ray?: string };
    return msg.startsWith("a question of a proxy is refused: ") ? [[msg.slice(34), ray]] : [];
  });
  assert.deepEqual(told, [
    ["caddy: X-Forwarded-Method is missing", incomplete.headers["cf-ray"]],
    ["there is no contract at /elsewhere/1", elsewhere[0]?.headers["cf-ray"]],
    ["the answer to a challenge: X-Forwarded-Proto is missing", solving.headers["cf-ray"]],
    ["127.0.0.1 may not ask; edge_judge_peers says who may", stranger.headers["cf-ray"]],
  ]);
});
