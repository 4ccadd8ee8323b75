import { readFileSync } from "node:fs";

import { operations } from "../../src/operations.ts";
import {
  describesResult,
  publicOperations as described,
  successSchema,
} from "../../test/contract/public-schema.ts";
import { evidence } from "./evidence.ts";

interface Row {
  /** Method and path. */
  readonly operation: string;
  /** Undefined for one that is not served. */
  readonly served: { readonly name: string; readonly test: string } | undefined;
}

/** `docs/coverage.md`: each operation of the public API in Zoneward's areas, and any others served. */
export function coveragePage(): string {
  const rows = coverage();
  const count = rows.filter(({ served }) => served !== undefined).length;
  const lines = rows.map(({ operation, served }) =>
    served === undefined
      ? `| \`${operation}\` | not served | | |`
      : `| \`${operation}\` | \`${served.name}\` | ${validated(operation)} | [${served.test}](../${served.test}) |`,
  );
  return `# Coverage

<!-- Made by \`npm run docs\`. -->

All operations of the public API in the areas that Zoneward covers: ${count} are served, ${rows.length - count} are not.
The linked test shows what an operation does; [divergences.md](divergences.md) lists the differences from the public
service. *By schema*: answers are [validated](contract/public-schema.md) against the public OpenAPI document;
*envelope*: the document does not describe the result; *status*: there is no JSON.

| Operation | Name | Validated | Test |
| --- | --- | --- | --- |
${lines.join("\n")}
`;
}

/** How `test/contract` validates the answers of an operation. */
function validated(operation: string): string {
  const known = described[operation];
  if (known === undefined) return "no";
  if (known.success === undefined) return "status";
  return describesResult(successSchema(known)) ? "by schema" : "envelope";
}

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
  const all = new Set([...publicOperations(), ...served.keys()]);
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

function anonymous(path: string): string {
  return path.replaceAll(/\{\w+\}/g, "{id}");
}

function byPath(one: string, other: string): number {
  const key = (operation: string): string => operation.split(" ").toReversed().join(" ");
  return key(one) < key(other) ? -1 : 1;
}
