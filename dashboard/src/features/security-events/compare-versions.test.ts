import assert from "node:assert/strict";
import { test } from "node:test";

import { compareVersions } from "./compare-versions.ts";
import type { SecurityEvent } from "./event-queries.ts";

const event = (rayName: string, source: string, action: string): SecurityEvent => ({
  rayName,
  source,
  action,
  clientCountryName: "",
  clientIP: "192.0.2.1",
  clientRequestHTTPHost: "example.com",
  clientRequestHTTPMethodName: "GET",
  clientRequestHTTPProtocol: "HTTP/2",
  clientRequestPath: "/",
  clientRequestQuery: "",
  clientRequestScheme: "https",
  datetime: "2026-01-02T03:04:05Z",
  matchIndex: 0,
  metadata: [],
  ruleId: "",
  ruleMessage: "",
  rulesetId: "",
  sampleInterval: 1,
  userAgent: "",
});

test("requests are told apart by which version stops them; what only notes a request stops nothing", () => {
  const { passedByNew, stoppedByNew, stoppedByBoth } = compareVersions([
    event("previous only", "waf", "block"),
    event("noted by new", "firewallManaged", "log"),
    event("noted by new", "waf", "challenge"),
    event("new only", "firewallManaged", "log"),
    event("new only", "firewallManaged", "managed_challenge"),
    event("both", "firewallManaged", "block"),
    event("both", "waf", "block"),
    event("noted by both", "firewallManaged", "log"),
    event("noted by both", "waf", "simulate"),
    event("another rule", "firewallCustom", "block"),
  ]);
  const raysOf = (requests: readonly { readonly rayName: string }[]) =>
    requests.map(({ rayName }) => rayName);
  assert.deepEqual(raysOf(passedByNew), ["previous only", "noted by new"]);
  assert.deepEqual(raysOf(stoppedByNew), ["new only"]);
  assert.deepEqual(raysOf(stoppedByBoth), ["both"]);
  assert.equal(stoppedByNew[0]?.new?.action, "managed_challenge");
});
