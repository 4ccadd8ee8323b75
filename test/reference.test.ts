import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { describe, test, type TestContext } from "node:test";

import { operations as allOperations } from "../src/server/operations.ts";
import { sendRequest, startTestApp, type TestApp } from "./support/harness.ts";

interface Operation {
  readonly operationId: string;
  readonly servers?: readonly { readonly url: string }[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: { readonly pattern?: string };
  }[];
  readonly responses: Readonly<Record<string, unknown>>;
}
interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

type Listed = readonly [path: string, method: string, operation: Operation];

async function readDocument(
  t: TestContext,
): Promise<{ app: TestApp; document: Document; operations: Listed[] }> {
  const app = await startTestApp(t, "sqlite");
  const response = await fetch(new URL("/openapi.json", app.baseUrl));
  const document = (await response.json()) as Document;
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): Listed => [path, method, operation]),
  );
  return { app, document, operations };
}

describe("API reference", () => {
  test("every operation of the document is served", async (t) => {
    const { app, document, operations } = await readDocument(t);
    assert.equal(document.openapi, "3.1.0");
    assert.ok(operations.length > 20);
    for (const [path, method, { servers }] of operations) {
      const isAtRoot = servers?.[0]?.url === "/";
      const answer = await sendRequest(
        isAtRoot ? new URL(app.baseUrl).origin : app.baseUrl,
        method.toUpperCase(),
        path.replaceAll(/\{\w+\}/g, "0".repeat(32)),
        { headers: {} },
      );
      // Open operations answer, and not always with an envelope.
      const codes = new Set(answer.status === 200 ? [] : answer.body.errors.map(({ code }) => code));
      assert.ok(!codes.has(7000) && !codes.has(10405), `${method} ${path}: ${answer.text}`);
    }
  });

  test("every operation of every module is in the document, once", async (t) => {
    const { operations } = await readDocument(t);
    const declared = allOperations.map(({ operation }) => operation);
    const described = operations.map(([, , { operationId }]) => operationId);
    assert.equal(described.length, declared.length);
    assert.deepEqual(new Set(described), new Set(declared));

    const mounted = readFileSync("src/server/operations.ts", "utf8");
    for (const file of globSync("src/resources/*/operations.ts")) {
      assert.ok(mounted.includes(file.replace("src/", "./")), `${file} is not mounted`);
    }
  });

  test("every parameter of a path is described, and every list names its ordering options", async (t) => {
    const { operations } = await readDocument(t);
    for (const [path, method, { parameters, responses }] of operations) {
      const described = parameters
        .filter((parameter) => parameter.in === "path")
        .map(({ name }) => `{${name}}`);
      assert.deepEqual(described, path.match(/\{\w+\}/g) ?? [], `${method} ${path}`);
      for (const { name, schema } of parameters.filter((parameter) => parameter.in === "path")) {
        if (name === "zone_id") assert.equal(schema.pattern, "^[0-9a-f]{32}$");
        else assert.ok(schema.pattern, `${method} ${path} ${name}`);
      }
      const names = new Set(parameters.map(({ name }) => name));
      const isList = names.has("per_page") && !names.has("cursor");
      assert.equal(JSON.stringify(responses).includes("Ordering options: "), isList, `${method} ${path}`);
    }
  });

  test("the page and its assets come from here alone", async (t) => {
    const app = await startTestApp(t, "sqlite");
    const origin = new URL(app.baseUrl).origin;
    const page = await fetch(`${origin}/docs`);
    assert.equal(page.status, 200);
    assert.match(page.headers.get("content-security-policy") ?? "", /default-src 'none'/);
    const assets = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = ""]) => path);
    assert.ok(assets.length >= 3);
    for (const path of assets) {
      assert.match(path, /^\/docs\//);
      const asset = await fetch(origin + path);
      assert.equal(asset.status, 200, path);
      assert.ok((await asset.arrayBuffer()).byteLength > 100, path);
    }
  });
});
