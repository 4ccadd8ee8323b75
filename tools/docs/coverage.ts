import { readFileSync } from "node:fs";

import { mountedRoutes } from "../../src/routes.ts";
import { evidence } from "./evidence.ts";

interface Row {
  readonly operation: string;
  readonly status: "full" | "partial" | "absent";
  readonly name: string;
  readonly test: string;
  readonly missing: string;
}

/**
 * `docs/coverage.md`: each operation of the public API's slice that Zoneward is about, of the specification, and
 * of those that are served besides.
 */
export function coveragePage(): string {
  const rows = coverage();
  const count = (status: Row["status"]): number => rows.filter((row) => row.status === status).length;
  const lines = rows.map(
    ({ operation, status, name, test, missing }) =>
      `| \`${operation}\` | ${status}${missing === "" ? "" : `: ${missing}`} | ${name} | ${test} |`,
  );
  return `# Coverage

<!-- Made by \`npm run docs\`. -->

Every operation that the public API and the specification have in the areas of Zoneward, and whether it is served:
${count("full")} full, ${count("partial")} partial, ${count("absent")} absent so far. The test named shows it.

| Operation | Served | Name | Test |
| --- | --- | --- | --- |
${lines.join("\n")}
`;
}

function coverage(): Row[] {
  const served = new Map(
    mountedRoutes({ edgeAddresses: [] } as never).map((route) => [
      `${route.method} ${anonymous(route.path)}`,
      route,
    ]),
  );
  const operations = new Set([...publicOperations(), ...served.keys()]);
  return [...operations].toSorted(byPath).map((operation): Row => {
    const route = served.get(operation);
    if (route === undefined) return { operation, status: "absent", name: "", test: "", missing: "" };
    const shown = evidence[route.operation];
    if (shown === undefined) throw new Error(`tools/docs/evidence.ts names no test for ${route.operation}`);
    const missing = shown.missing ?? "";
    return {
      operation,
      status: missing === "" ? "full" : "partial",
      name: `\`${route.operation}\``,
      test: `[${shown.test}](../${shown.test})`,
      missing,
    };
  });
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
