import { readFileSync } from "node:fs";

import { operations } from "../../src/server/operations.ts";
import { catalogue } from "../../src/core/zone-settings/catalogue.ts";
import {
  describesResult,
  publicOperations as described,
  successSchema,
} from "../../test/contract/public-schema.ts";
import { saysSomething, sdkOperations, sdkVersion } from "../../test/contract/sdk-schema.ts";
import { drivenOperations } from "../../test/support/driven-operations.ts";
import { evidence } from "./evidence.ts";
import { lackingOperations } from "./lacking-operations.ts";

interface Row {
  /** Method and path. */
  readonly operation: string;
  /** Undefined for one that is not served. */
  readonly served: { readonly name: string; readonly test: string } | undefined;
}

/** `docs/coverage.md`: each operation of the public API in Zoneward's areas, and any others served. */
export function coveragePage(): string {
  const rows = coverage();
  const served = rows.filter((row) => row.served !== undefined);
  const lines = served.map(
    ({ operation, served: { name, test } = { name: "", test: "" } }) =>
      `| \`${operation}\` | \`${name}\` | ${validated(operation)} | [${test}](../${test}) |`,
  );
  const lacking = rows.filter((row) => row.served === undefined);
  const reasons = lacking.map(({ operation }) => `| \`${operation}\` | ${reasonFor(operation)} |`);
  return `# Coverage

<!-- Made by \`npm run docs\`. -->

All operations of the public API in the areas that Zoneward covers, as the TypeScript SDK ${sdkVersion} has them, and those
that it has left out since: ${served.length} are [served](#served), ${lacking.length} are [not](#not-served).

## Served

The linked test shows what an operation does; [divergences.md](divergences.md) lists the differences from the public
service. What answers are validated by on each test run:

- *document*: the [public OpenAPI document](contract/public-schema.md); *envelope* where it does not describe the result,
  *status* where there is no JSON;
- *SDK*: the [types](contract/public-schema.md#beside-the-sdk) that the TypeScript SDK ${sdkVersion} declares;
- *clients*: an unmodified client drives the operation and reads the answer: ${Object.keys(drivenOperations).join(", ")}.

| Operation | Name | Validated by | Test |
| --- | --- | --- | --- |
${lines.join("\n")}

## Not served

| Operation | Why |
| --- | --- |
${reasons.join("\n")}
`;
}

/** The validators of the answers of an operation. */
function validated(operation: string): string {
  const bySdk = sdkOperations[operation];
  const by = [
    ...byDocument(operation),
    ...(bySdk !== undefined && saysSomething(bySdk) ? ["SDK"] : []),
    ...(Object.values(drivenOperations).some((names) => names.includes(operation)) ? ["clients"] : []),
  ];
  return by.length === 0 ? "none" : by.join(", ");
}

function byDocument(operation: string): string[] {
  const known = described[operation];
  if (known === undefined) return [];
  if (known.success === undefined) return ["status"];
  return [describesResult(successSchema(known)) ? "document" : "envelope"];
}

/** Throws where there is no reason, or more than one. */
function reasonFor(operation: string): string {
  const path = pathOf(operation);
  const reasons = lackingOperations.filter(({ paths }) => paths.some((prefix) => isAt(path, prefix)));
  const [only] = reasons;
  if (only === undefined || reasons.length > 1) {
    throw new Error(`tools/docs/lacking-operations.ts gives ${reasons.length} reasons for ${operation}`);
  }
  return only.reason;
}

/** Paths with a reason at which nothing is lacking. */
export function staleReasons(): string[] {
  const lacking = coverage()
    .filter((row) => row.served === undefined)
    .map(({ operation }) => pathOf(operation));
  return lackingOperations
    .flatMap(({ paths }) => paths)
    .filter((prefix) => !lacking.some((path) => isAt(path, prefix)));
}

const pathOf = (operation: string): string => operation.split(" ")[1] ?? "";
const isAt = (path: string, prefix: string): boolean => path === prefix || path.startsWith(`${prefix}/`);

function coverage(): Row[] {
  const served = new Map(
    operations.map(({ method, path, operation: name }) => [
      `${method} ${anonymous(path)}`,
      { name, test: testOf(name) },
    ]),
  );
  const gone = Object.keys(evidence).filter(
    (name) => !operations.some(({ operation }) => operation === name),
  );
  if (gone.length > 0) throw new Error(`tools/docs/evidence.ts names what is not served: ${gone.join(", ")}`);
  const all = new Set([...publicOperations(), ...sdkNames(), ...served.keys()]);
  return [...all].toSorted(byPath).map((operation) => ({ operation, served: served.get(operation) }));
}

function testOf(name: string): string {
  const test = evidence[name];
  if (test === undefined) throw new Error(`tools/docs/evidence.ts names no test for ${name}`);
  return test;
}

function publicOperations(): string[] {
  const lines = readFileSync(new URL("public-operations.txt", import.meta.url), "utf8")
    .trim()
    .split("\n");
  return lines.flatMap((line) => {
    const [path = "", ...methods] = line.split(" ");
    return methods.map((method) => `${method} ${path}`);
  });
}

/** Settings have an operation each in the SDK, and one for all here. */
function sdkNames(): string[] {
  return Object.keys(sdkOperations).filter(
    (name) => !catalogue.has(/^\w+ \/zones\/\{id\}\/settings\/(\w+)$/.exec(name)?.[1] ?? ""),
  );
}

function anonymous(path: string): string {
  return path.replaceAll(/\{\w+\}/g, "{id}");
}

function byPath(one: string, other: string): number {
  const key = (operation: string): string => operation.split(" ").toReversed().join(" ");
  return key(one) < key(other) ? -1 : 1;
}
