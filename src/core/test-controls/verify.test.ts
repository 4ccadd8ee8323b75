import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Issue } from "../validate/rules.ts";
import type { Exchange } from "./exchange.ts";
import { redactBody, redactHeaders } from "./redact.ts";
import { verificationCheck, verify, type Verification, type VerificationResult } from "./verify.ts";

const request = (method: string, path: string, status = 200): Exchange => ({
  listener: "api",
  operation: undefined,
  method,
  path,
  zone: undefined,
  token: undefined,
  headers: {},
  at: 0,
  status,
});

const entries = [request("POST", "/zones"), request("GET", "/zones/1"), request("DELETE", "/zones/1", 404)];

function compare(
  verification: Verification,
  among: readonly Exchange[] = entries,
): VerificationResult<Exchange> {
  const comparison = verify(verification, among);
  for (;;) {
    const { done, value } = comparison.next();
    if (done === true) return value;
  }
}

describe("a verification", () => {
  test("counts at least and at most, and takes at least one where nothing is said", () => {
    const count = (expectation: object): boolean =>
      compare({ expect: [{ match: {}, ...expectation }] }).isVerified;
    assert.ok(count({}));
    assert.ok(count({ at_least: 3, at_most: 3 }));
    assert.ok(!count({ at_least: 4 }));
    assert.ok(!count({ at_most: 2 }));
    assert.ok(count({ match: { method: "PUT" }, at_most: 0 }));
    assert.ok(!count({ match: { method: "PUT" } }));
  });

  test("explains what came closest, and which part of the match it missed", () => {
    const expect = [{ match: { method: "DELETE", path: "/zones/1", status: 200 } }];
    const { isVerified, expectations } = compare({ expect });
    assert.equal(isVerified, false);
    const [first, second] = expectations[0]?.nearMisses ?? [];
    assert.equal(first?.entry, entries[2]);
    assert.deepEqual(first?.misses, [{ part: "status", expected: 200, actual: 404, distance: 1 }]);
    assert.equal(second?.entry, entries[1]);
    assert.equal(second?.misses[0]?.part, "method");
  });

  test("tells the first expectation that is out of order", () => {
    const [post, get, remove] = ["POST", "GET", "DELETE"].map((method) => ({ match: { method } }));
    assert.ok(post && get && remove);
    const inOrder = (...expect: { match: object }[]): number | undefined =>
      compare({ expect, in_order: true }).outOfOrder;
    assert.equal(inOrder(post, get, remove), undefined);
    assert.equal(inOrder(post, remove), undefined);
    assert.equal(inOrder(get, post), 1);
    assert.equal(inOrder({ ...post, at_least: 2 } as typeof post), 0);
  });

  test("looks for an order no more often at each of many requests, however many are expected", () => {
    let looks = 0;
    const many = Array.from({ length: 1_000 }, () => {
      const { method, ...others } = request("GET", "/");
      return {
        ...others,
        get method() {
          looks += 1;
          return method;
        },
      };
    });
    assert.equal(
      compare({ expect: [{ match: { method: "GET" }, at_least: 1_000 }], in_order: true }, many).isVerified,
      true,
    );
    assert.ok(looks <= 3 * many.length, `${looks} times`);
  });

  test("is refused with every error and its place", () => {
    const issuesOf = (value: unknown): readonly Issue[] => {
      const issues: Issue[] = [];
      verificationCheck(new Set())(value, "", issues);
      return issues;
    };
    const wrong = {
      expect: [{ match: { path: 1 }, at_least: -1 }, {}, { match: {}, at_least: 2, at_most: 1 }],
      order: 1,
    };
    assert.deepEqual(
      issuesOf(wrong).map(({ pointer }) => pointer),
      ["/expect/0/match/path", "/expect/0/at_least", "/expect/1/match", "/expect/2/at_most", "/order"],
    );
    assert.deepEqual(issuesOf({ expect: [{ match: { status: 200 }, at_most: 0 }] }), []);
  });

  test("lets other work go on after a bounded number of entries, also within an expectation", () => {
    let looked = 0;
    const watched = Array.from({ length: 10_000 }, () => ({
      ...request("GET", "/zones"),
      get method() {
        looked += 1;
        return "GET";
      },
    }));
    const [present, absent] = [{ match: { method: "GET" } }, { match: { method: "PUT" } }];
    const comparison = verify(
      { expect: [present, absent, { ...present, at_least: 10_000 }], in_order: true },
      watched,
    );
    let most = 0;
    while (comparison.next().done !== true) {
      most = Math.max(most, looked);
      looked = 0;
    }
    assert.ok(most > 0 && most <= 1_000, `${most} looks at once`);
  });
});

describe("secrets", () => {
  const token = `zw_${"a1".repeat(18)}x`;

  test("are replaced in headers, in members that hold them, and wherever one has the form of a secret", () => {
    assert.deepEqual(redactHeaders({ authorization: "Bearer x", accept: "*/*", cookie: "a=b" }), {
      authorization: "********",
      accept: "*/*",
      cookie: "********",
    });
    const key = "-----BEGIN PRIVATE KEY-----\\nabc\\n-----END PRIVATE KEY-----\\n";
    const body = JSON.stringify({ password: 'a"b', value: token, note: "kept", api_key: "0".repeat(37) });
    assert.equal(
      redactBody(body, {}),
      '{"password":"********","value":"********","note":"kept","api_key":"********"}',
    );
    assert.equal(redactBody(`{"x":"${key}"}`, {}), String.raw`{"x":"********\n"}`);
  });

  test("are replaced where an answer repeats the credentials of its request", () => {
    const headers = { authorization: "Bearer a-token-of-the-tests", "x-auth-key": "12345678" };
    assert.equal(redactBody("a-token-of-the-tests 12345678", headers), "******** ********");
  });
});
