import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Type } from "@sinclair/typebox";

import { startTransport } from "../../test/support/transport.ts";
import { AppError, type ErrorKind } from "../core/error.ts";
import type { Route } from "./route.ts";

function failingRoute(path: string, error: unknown): Route {
  return {
    operation: "fail",
    summary: "Fails",
    method: "GET",
    path,
    access: "open",
    schemas: { result: Type.Null() },
    handle: () => Promise.reject(error),
  };
}

async function read(url: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(url);
  return { status: answer.status, text: await answer.text() };
}

describe("failures", () => {
  test("each kind of error has its status", async (t) => {
    const statusOfKind: Readonly<Record<ErrorKind, number>> = {
      invalid: 400,
      unauthenticated: 401,
      forbidden: 403,
      "not-found": 404,
      "method-not-allowed": 405,
      gone: 410,
      timeout: 408,
      "too-large": 413,
      "uri-too-long": 414,
      misdirected: 421,
      "too-many-requests": 429,
      unavailable: 503,
    };
    const kinds = Object.keys(statusOfKind) as ErrorKind[];
    const routes = kinds.map((kind) => failingRoute(`/${kind}`, new AppError(kind, 1234, `it is ${kind}`)));
    const origin = await startTransport(t, { routes });
    for (const kind of kinds) {
      const { status, text } = await read(`${origin}/client/v4/${kind}`);
      assert.equal(status, statusOfKind[kind], kind);
      assert.equal(
        text,
        `{"result":null,"success":false,"errors":[{"code":1234,"message":"it is ${kind}"}],"messages":[]}`,
      );
    }
  });

  test("an error holds code, message, source and chain in that order, and never its cause", async (t) => {
    const error = new AppError("invalid", 9005, "Content is invalid.", {
      pointer: "/content",
      chain: [{ code: 9005, message: "Content is invalid." }],
      cause: new Error("a secret"),
    });
    const origin = await startTransport(t, { routes: [failingRoute("/zones", error)] });
    assert.equal(
      (await read(`${origin}/client/v4/zones`)).text,
      '{"result":null,"success":false,"errors":[{"code":9005,"message":"Content is invalid.","source":{"pointer":"/content"},"error_chain":[{"code":9005,"message":"Content is invalid."}]}],"messages":[]}',
    );
  });

  test("an unexpected error is a bare 500: its message may hold something private", async (t) => {
    const thrown = [new Error("a secret"), new TypeError("a secret"), "a secret", undefined, { secret: 1 }];
    const routes = thrown.map((error, index) => failingRoute(`/thrown-${index}`, error));
    const origin = await startTransport(t, { routes });
    for (const { path } of routes) {
      const { status, text } = await read(`${origin}/client/v4${path}`);
      assert.equal(status, 500, path);
      assert.equal(
        text,
        '{"result":null,"success":false,"errors":[{"code":10500,"message":"Internal server error"}],"messages":[]}',
      );
    }
  });

  test("a store that is gone for a while is 503", async (t) => {
    const gone = new Error("connect ECONNREFUSED 10.0.0.1:5432");
    const origin = await startTransport(t, {
      routes: [failingRoute("/zones", gone)],
      asUnavailable: (error) =>
        error === gone ? new AppError("unavailable", 10503, "Please try again.") : undefined,
    });
    assert.deepEqual(await read(`${origin}/client/v4/zones`), {
      status: 503,
      text: '{"result":null,"success":false,"errors":[{"code":10503,"message":"Please try again."}],"messages":[]}',
    });
  });
});
