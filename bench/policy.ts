import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";

import { preparsePolicySet, statefulIsAuthorized } from "@cedar-policy/cedar-wasm/nodejs";
import { newEnforcer, newModelFromString, StringAdapter } from "casbin";

import { compileAddressCondition } from "../src/core/policy/conditions.ts";
import { decide, type Resource } from "../src/core/policy/evaluate.ts";
import { compilePolicies, type Policy } from "../src/core/policy/grants.ts";
import { zone, type PermissionGroup } from "../src/core/policy/permission-groups.ts";
import type { Finding } from "./report.ts";
import { ratios } from "./rounds.ts";

const rounds = 5;

interface Request {
  readonly group: PermissionGroup;
  readonly zoneId: string;
  readonly accountId: string;
  readonly address: string;
}

/** Answers the n-th request of its own; false is a deny. */
type Decide = (n: number) => boolean;

const newId = (): string => randomBytes(16).toString("hex");

const [accountId, foreignAccountId, zoneId, deniedZoneId, foreignZoneId] = Array.from(
  { length: 5 },
  newId,
) as [string, string, string, string, string];
const included = ["192.0.2.0/24", "2001:db8::/32"];
const excluded = "192.0.2.128/25";

const policies: readonly Policy[] = [
  {
    id: "deny",
    effect: "deny",
    resources: [{ type: "zone", id: deniedZoneId }],
    groupIds: [zone("DNS Write").id],
  },
  {
    id: "zones of the account",
    effect: "allow",
    resources: [{ type: "zones-of-account", accountId }],
    groupIds: [zone("DNS Write").id],
  },
  {
    id: "every zone",
    effect: "allow",
    resources: [{ type: "zone", id: "*" }],
    groupIds: [zone("Zone Read").id],
  },
];

const own = { accountId, address: "192.0.2.9" };
const foreign = { accountId: foreignAccountId, zoneId: foreignZoneId, address: "192.0.2.9" };
const shapes: readonly (Request & { readonly allowed: boolean })[] = [
  { ...own, group: zone("DNS Write"), zoneId, allowed: true },
  { ...own, group: zone("DNS Write"), zoneId: deniedZoneId, allowed: false },
  { ...own, group: zone("DNS Read"), zoneId, address: "2001:db8::9", allowed: true },
  { ...foreign, group: zone("Zone Read"), allowed: true },
  { ...foreign, group: zone("DNS Write"), allowed: false },
  { ...own, group: zone("DNS Write"), zoneId, address: "192.0.2.200", allowed: false },
  { ...own, group: zone("DNS Write"), zoneId, address: "198.51.100.1", allowed: false },
];

/**
 * Decisions of a token beside casbin and Cedar with the same policies; a token of 100 policies on 1,000 zones
 * beside one of three.
 */
export async function policy(): Promise<Finding[]> {
  const contestants = {
    ours: { decide: ours(policies, shapes), decisions: 1_000_000 },
    casbin: { decide: await casbin(), decisions: 50_000 },
    cedar: { decide: cedar(), decisions: 20_000 },
  };
  for (const [name, contestant] of Object.entries(contestants)) {
    assert.deepEqual(
      shapes.map((_, n) => contestant.decide(n)),
      shapes.map(({ allowed }) => allowed),
      name,
    );
  }
  const costs = measureDecisions(contestants);

  const zones = Array.from({ length: 1000 }, newId);
  const requests = zones.map((id) => ({ ...own, group: zone("DNS Write"), zoneId: id }));
  const sizes = measureDecisions({
    large: { decide: ours(manyPolicies(zones), requests), decisions: 1_000_000 },
    small: { decide: ours(policies, requests), decisions: 1_000_000 },
  });

  return [
    {
      what: "policy decision / casbin enforceSync",
      values: ratios(costs.ours, costs.casbin),
      unit: "x",
      budget: { most: 1 / 20 },
    },
    {
      what: "policy decision / Cedar, policies parsed before",
      values: ratios(costs.ours, costs.cedar),
      unit: "x",
    },
    {
      what: "policy decision, 100 policies on 1,000 zones / 3 policies",
      values: ratios(sizes.large, sizes.small),
      unit: "x",
      budget: { most: 2 },
    },
    { what: "policy decision, CPU", values: costs.ours, unit: "us", budget: { most: 1 } },
    { what: "policy decision, 100 policies on 1,000 zones, CPU", values: sizes.large, unit: "us" },
    { what: "casbin enforceSync, CPU", values: costs.casbin, unit: "us" },
    { what: "Cedar, CPU", values: costs.cedar, unit: "us" },
  ];
}

/** CPU microseconds a decision, one figure a round, all in turns; the first round is a warm-up. */
function measureDecisions<Name extends string>(
  contestants: Readonly<Record<Name, { readonly decide: Decide; readonly decisions: number }>>,
): Record<Name, number[]> {
  const entries = Object.entries(contestants) as [Name, { decide: Decide; decisions: number }][];
  const costs = Object.fromEntries(entries.map(([name]) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, { decide: decideOne, decisions }] of entries) {
      const before = process.cpuUsage();
      let allowed = 0;
      for (let n = 0; n < decisions; n += 1) if (decideOne(n)) allowed += 1;
      const { user, system } = process.cpuUsage(before);
      assert.ok(allowed > 0, name);
      if (round > 0) costs[name].push((user + system) / decisions);
    }
  }
  return costs;
}

/** Address and policies, as each request is judged. */
function ours(its: readonly Policy[], requests: readonly Request[]): Decide {
  const grants = compilePolicies(its);
  const allowsAddress = compileAddressCondition({ in: included, not_in: [excluded] });
  const asked = requests.map(({ group, address, ...ids }) => {
    const resource: Resource = { type: "zone", id: ids.zoneId, accountId: ids.accountId };
    return { group, address, resource };
  });
  return (n) => {
    const request = asked[n % asked.length];
    assert.ok(request);
    return allowsAddress(request.address) && decide(grants, request.group, request.resource).allowed;
  };
}

/** 100 policies, each about 10 of the zones; every tenth is a deny. */
function manyPolicies(zones: readonly string[]): Policy[] {
  return Array.from({ length: 100 }, (_, index) => ({
    id: `policy ${index}`,
    effect: index % 10 === 9 ? "deny" : "allow",
    resources: zones.slice(index * 10, index * 10 + 10).map((id) => ({ type: "zone", id })),
    groupIds: [zone("DNS Write").id, zone("Zone Read").id, zone("Cache Purge").id],
  }));
}

async function casbin(): Promise<Decide> {
  const isIncluded = included.map((range) => `ipMatch(r.address, "${range}")`).join(" || ");
  const model = newModelFromString(`
[request_definition]
r = group, account, zone, address
[policy_definition]
p = group, account, zone, eft
[policy_effect]
e = some(where (p.eft == allow)) && !some(where (p.eft == deny))
[matchers]
m = r.group == p.group && (p.account == "*" || r.account == p.account) && (p.zone == "*" || r.zone == p.zone) && (${isIncluded}) && !ipMatch(r.address, "${excluded}")
`);
  const rules = [
    `p, DNS Write, *, ${deniedZoneId}, deny`,
    `p, DNS Write, ${accountId}, *, allow`,
    `p, DNS Read, ${accountId}, *, allow`,
    "p, Zone Read, *, *, allow",
  ];
  const enforcer = await newEnforcer(model, new StringAdapter(rules.join("\n")));
  return (n) => {
    const request = shapes[n % shapes.length];
    assert.ok(request);
    return enforcer.enforceSync(request.group.name, request.accountId, request.zoneId, request.address);
  };
}

function cedar(): Decide {
  const isIncluded = included.map((range) => `context.address.isInRange(ip("${range}"))`).join(" || ");
  const parsed = preparsePolicySet("token", {
    staticPolicies: `
forbid (principal, action == Action::"DNS Write", resource == Zone::"${deniedZoneId}");
permit (principal, action in [Action::"DNS Write", Action::"DNS Read"], resource in Account::"${accountId}")
when { (${isIncluded}) && !context.address.isInRange(ip("${excluded}")) };
permit (principal, action == Action::"Zone Read", resource)
when { (${isIncluded}) && !context.address.isInRange(ip("${excluded}")) };`,
  });
  assert.deepEqual(parsed, { type: "success" });
  const calls = shapes.map(({ group, address, ...ids }) => ({
    principal: { type: "Token", id: "any" },
    action: { type: "Action", id: group.name },
    resource: { type: "Zone", id: ids.zoneId },
    context: { address: { __extn: { fn: "ip", arg: address } } },
    preparsedPolicySetId: "token",
    entities: [
      {
        uid: { type: "Zone", id: ids.zoneId },
        attrs: {},
        parents: [{ type: "Account", id: ids.accountId }],
      },
    ],
  }));
  return (n) => {
    const call = calls[n % calls.length];
    assert.ok(call);
    const answer = statefulIsAuthorized(call);
    assert.ok(answer.type === "success");
    return answer.response.decision === "allow";
  };
}
