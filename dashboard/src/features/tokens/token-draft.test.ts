import assert from "node:assert/strict";
import { test } from "node:test";

import type { Token, TokenPermissionGroup } from "../../../../src/resources/tokens/schema.ts";
import { bodyOf, draftOf, emptyPolicy, gapOf, vendorOf, type TokenDraft } from "./token-draft.ts";
import { policySentence, restrictionSentences, tokenMaking } from "./token-summary.ts";
import { draftOfTemplate } from "./token-templates.ts";

const [userId, zoneId, accountId] = ["a".repeat(32), "b".repeat(32), "c".repeat(32)];
const group = (id: string, name: string, scope: string): TokenPermissionGroup => ({
  id,
  name,
  scopes: [`com.brand.api.${scope}`],
});
const groups = [
  group("1", "Zone Read", "account.zone"),
  group("2", "DNS Write", "account.zone"),
  group("3", "Account Settings Read", "account"),
  group("4", "API Tokens Write", "user"),
];
const context = { vendor: vendorOf(groups), userId };
const draft: TokenDraft = {
  name: " ci ",
  policies: [
    { effect: "allow", extent: "zones-of-accounts", ids: [accountId], groupIds: ["2"] },
    { effect: "deny", extent: "zones", ids: [zoneId], groupIds: ["2"] },
    { effect: "allow", extent: "user", ids: [], groupIds: ["4"] },
  ],
  allowFrom: ["192.0.2.0/24"],
  denyFrom: [],
  notBefore: "",
  expiresOn: "2030-01-01T00:00:00Z",
};

test("a draft is sent as the API expects it, with the brand of the server", () => {
  assert.deepEqual(bodyOf(draft, context), {
    name: "ci",
    policies: [
      {
        effect: "allow",
        resources: { [`com.brand.api.account.${accountId}`]: { "com.brand.api.account.zone.*": "*" } },
        permission_groups: [{ id: "2" }],
      },
      {
        effect: "deny",
        resources: { [`com.brand.api.account.zone.${zoneId}`]: "*" },
        permission_groups: [{ id: "2" }],
      },
      {
        effect: "allow",
        resources: { [`com.brand.api.user.${userId}`]: "*" },
        permission_groups: [{ id: "4" }],
      },
    ],
    expires_on: "2030-01-01T00:00:00Z",
    condition: { "request.ip": { in: ["192.0.2.0/24"] } },
  });
});

const tokenWith = (policies: Token["policies"]): Token => ({
  id: "d".repeat(32),
  name: "ci",
  status: "active",
  issued_on: "2029-01-01T00:00:00Z",
  modified_on: "2029-01-01T00:00:00Z",
  last_used_on: null,
  expires_on: "2030-01-01T00:00:00Z",
  condition: { "request.ip": { in: ["192.0.2.0/24"] } },
  policies,
});

test("a token becomes the draft that it was made from, and is saved with the ids of its policies", () => {
  const token = tokenWith(
    bodyOf(draft, context).policies.map(({ effect, resources, permission_groups }, index) => ({
      id: `policy ${index}`,
      effect,
      resources,
      permission_groups: permission_groups.map(({ id }) => ({ id, name: "" })),
    })),
  );
  const { policies, ...others } = draftOf(token, groups);
  assert.deepEqual(
    { ...others, policies: policies.map(({ id: _id, ...policy }) => policy) },
    { ...draft, name: "ci" },
  );
  const saved = bodyOf({ ...draft, policies: [...policies, emptyPolicy] }, context);
  assert.deepEqual(
    saved.policies.map(({ id }) => id),
    ["policy 0", "policy 1", "policy 2", undefined],
  );
});

test("a policy on resources of several kinds becomes one for each kind that it says something of", () => {
  const mixed: Token["policies"][number] = {
    id: "mixed",
    effect: "allow",
    resources: { "com.brand.api.account.*": "*", "com.brand.api.account.zone.*": "*" },
    permission_groups: [
      { id: "1", name: "Zone Read" },
      { id: "3", name: "Account Settings Read" },
    ],
  };
  assert.deepEqual(draftOf(tokenWith([mixed]), groups).policies, [
    { id: "mixed", effect: "allow", extent: "all-accounts", ids: [], groupIds: ["3"] },
    { effect: "allow", extent: "all-zones", ids: [], groupIds: ["1"] },
  ]);
  const ofZones = { ...mixed, permission_groups: [{ id: "1", name: "Zone Read" }] };
  assert.deepEqual(draftOf(tokenWith([ofZones]), groups).policies, [
    { id: "mixed", effect: "allow", extent: "all-zones", ids: [], groupIds: ["1"] },
  ]);
});

test("zone groups on an account become a policy on all zones of that account", () => {
  const policy: Token["policies"][number] = {
    id: "of accounts",
    effect: "allow",
    resources: { [`com.brand.api.account.${accountId}`]: "*" },
    permission_groups: [
      { id: "1", name: "Zone Read" },
      { id: "3", name: "Account Settings Read" },
    ],
  };
  assert.deepEqual(draftOf(tokenWith([policy]), groups).policies, [
    { id: "of accounts", effect: "allow", extent: "accounts", ids: [accountId], groupIds: ["3"] },
    { effect: "allow", extent: "zones-of-accounts", ids: [accountId], groupIds: ["1"] },
  ]);
});

test("a draft with a gap is not sent", () => {
  assert.equal(gapOf(draft), undefined);
  assert.match(gapOf({ ...draft, name: " " }) ?? "", /name/);
  assert.match(gapOf({ ...draft, policies: [] }) ?? "", /policy/);
  assert.match(gapOf({ ...draft, policies: [emptyPolicy] }) ?? "", /permission/);
  const noZone = { ...emptyPolicy, extent: "zones", groupIds: ["1"] } as const;
  assert.match(gapOf({ ...draft, policies: [noZone] }) ?? "", /resources/);
});

test("a draft is told in words", () => {
  const names = new Map([
    [accountId, "Zoneward"],
    [zoneId, "example.com"],
  ]);
  assert.deepEqual(
    draft.policies.map((policy) => policySentence(policy, groups, names)),
    [
      "May use DNS Write on all zones of Zoneward.",
      "May never use DNS Write on example.com.",
      "May use API Tokens Write on your user.",
    ],
  );
  assert.equal(restrictionSentences(draft)[0], "Valid only from 192.0.2.0/24.");
});

test("a token that can create tokens is told from one that can do other things too", () => {
  assert.equal(tokenMaking(draft, groups), "mixed");
  assert.equal(tokenMaking(draftOfTemplate("create-tokens", groups), groups), "alone");
  assert.equal(tokenMaking(draftOfTemplate("edit-dns", groups), groups), undefined);
});

test("a template allows the groups of its name where they apply", () => {
  assert.deepEqual(draftOfTemplate("read-all", groups).policies, [
    { effect: "allow", extent: "all-accounts", ids: [], groupIds: ["3"] },
    { effect: "allow", extent: "all-zones", ids: [], groupIds: ["1"] },
    { effect: "allow", extent: "user", ids: [], groupIds: [] },
  ]);
});

test("a token of an account names the account wherever one of a user names everything", () => {
  const accountGroups = [...groups, group("5", "Account API Tokens Write", "account")];
  const { policies } = draftOfTemplate("read-all", accountGroups, accountId);
  assert.deepEqual(
    policies.map(({ extent, ids }) => [extent, ids]),
    [
      ["accounts", [accountId]],
      ["zones-of-accounts", [accountId]],
    ],
  );
  assert.deepEqual(draftOfTemplate("create-tokens", accountGroups, accountId).policies, [
    { effect: "allow", extent: "accounts", ids: [accountId], groupIds: ["5"] },
  ]);
  const stored = tokenWith([
    {
      id: "p",
      effect: "allow",
      resources: { "com.brand.api.account.zone.*": "*" },
      permission_groups: [{ id: "2", name: "DNS Write" }],
    },
  ]);
  assert.deepEqual(draftOf(stored, accountGroups, accountId).policies, [
    { id: "p", effect: "allow", extent: "zones-of-accounts", ids: [accountId], groupIds: ["2"] },
  ]);
});
