import assert from "node:assert/strict";

import type { RouteDescription } from "../../src/api/route.ts";
import { validRequests, type ValidRequest } from "../authorization/requests.ts";
import type { World } from "../authorization/world.ts";
import type { Difference } from "./differences.ts";

/** Lists come when there is something to list; the zone goes last, and then the account. */
export function turnOf({ method, path, operation }: RouteDescription): number {
  if (operation === "deleteAccount") return 3;
  if (operation === "deleteZone") return 2;
  return method === "GET" && !path.endsWith("}") ? 1 : 0;
}

const records = [
  { type: "A", name: "a", content: "192.0.2.1", comment: "a comment", tags: ["a:b"] },
  { type: "AAAA", name: "aaaa", content: "2001:db8::1", proxied: true },
  { type: "CNAME", name: "cname", content: "example.net" },
  { type: "MX", name: "mx", content: "mx.example.net", priority: 10 },
  { type: "NS", name: "ns", content: "ns.example.net" },
  { type: "PTR", name: "ptr", content: "example.net" },
  { type: "TXT", name: "txt", content: '"text"' },
  { type: "CAA", name: "caa", data: { flags: 0, tag: "issue", value: "example.net" } },
  { type: "SRV", name: "_sip._tcp", data: { priority: 1, weight: 2, port: 5060, target: "example.net" } },
  { type: "URI", name: "uri", priority: 1, data: { weight: 2, target: "https://example.net/" } },
  { type: "HTTPS", name: "https", data: { priority: 1, target: ".", value: 'alpn="h2"' } },
  { type: "SVCB", name: "svcb", data: { priority: 1, target: ".", value: 'alpn="h2"' } },
  { type: "DS", name: "ds", data: { key_tag: 1, algorithm: 8, digest_type: 2, digest: "ab".repeat(32) } },
  {
    type: "TLSA",
    name: "_443._tcp",
    data: { usage: 3, selector: 1, matching_type: 1, certificate: "ab".repeat(32) },
  },
  { type: "SSHFP", name: "sshfp", data: { algorithm: 4, type: 2, fingerprint: "ab".repeat(32) } },
];

/** Makes a record of every type. */
export async function fillWorld({ app, zoneId }: World): Promise<void> {
  for (const record of records) {
    const { status, text } = await app.request("POST", `/zones/${zoneId}/dns_records`, { body: record });
    assert.equal(status, 200, `${record.type}: ${text}`);
  }
}

/** The request by which the operation answers a success. */
export const requestOf = async (world: World, name: string): Promise<ValidRequest> =>
  (await validRequests[name]?.(world)) ?? {};

/** An item of a list is told like a single result. */
export const inGeneral = (violation: string): string => violation.replace(/^\/result\/\*/, "/result");

/** Each with the name of its operation before it. */
export function reasonedViolations(differences: readonly Difference[]): ReadonlySet<string> {
  return new Set(
    differences.flatMap((difference) =>
      difference.operations.flatMap((name) =>
        difference.violations.map((violation) => `${name}: ${violation}`),
      ),
    ),
  );
}
