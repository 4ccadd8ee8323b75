import { readFileSync } from "node:fs";

import type { TestApp } from "./harness.ts";

const file = new URL("../clients/driven-operations.json", import.meta.url);

/** By client, method and path, `{id}` for each parameter, of the operations that its test drives to a success. */
export const drivenOperations = JSON.parse(readFileSync(file, "utf8")) as Readonly<
  Record<string, readonly string[]>
>;

/** The operations that the server has answered with success, by its own count. */
export async function answeredOperations(app: TestApp): Promise<string[]> {
  const metrics = await (await fetch(new URL("/metrics", app.baseUrl))).text();
  const counted = metrics.matchAll(
    /^zoneward_http_requests_total\{method="(\w+)",route="([^"]+)",status="20\d"\}/gm,
  );
  const names = [...counted].map(
    ([, method, route = ""]) =>
      `${method} ${route.replace(/^\/client\/v4/, "").replaceAll(/:\w+|\{\w+\}/g, "{id}")}`,
  );
  return [...new Set(names)].filter((name) => !name.endsWith("/metrics")).toSorted();
}
