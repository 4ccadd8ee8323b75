import assert from "node:assert/strict";
import { test } from "node:test";

import {
  account,
  findPermissionGroup,
  permissionGroups,
  printScope,
  readGroupOf,
  user,
  writeGroupOf,
  zone,
} from "./permission-groups.ts";

test("there are 350 groups, each of its own id, and one of a name in a scope", () => {
  assert.equal(permissionGroups.length, 350);
  assert.equal(new Set(permissionGroups.map(({ id }) => id)).size, 350);
  assert.equal(new Set(permissionGroups.map(({ name, scope }) => `${scope} ${name}`)).size, 350);
  for (const { id, name } of permissionGroups) {
    assert.match(id, /^[0-9a-f]{32}$/, name);
    assert.match(name, /^[A-Z][A-Za-z0-9 :,()&/-]*[A-Za-z0-9)]$/);
  }
});

test("a group is found by its id, or by its scope and name", () => {
  assert.equal(findPermissionGroup("82e64a83756745bbbb1c9c2701bf816b"), zone("DNS Read"));
  assert.deepEqual(zone("DNS Write"), {
    id: "4755a26eedb94da69e1066d98aa820be",
    name: "DNS Write",
    scope: "zone",
  });
  assert.equal(account("Account Settings Read").id, "c1fde68c7bcc44588cbb6ddbc16d6480");
  assert.equal(user("API Tokens Write").id, "686d18d5ac6c441c867cbf6771e58a0a");
  assert.equal(findPermissionGroup("82E64A83756745BBBB1C9C2701BF816B"), undefined);
});

test("one name in two scopes is two groups", () => {
  const name = "Access: Apps and Policies Read";
  assert.notEqual(zone(name).id, account(name).id);
});

test("a Write belongs to the Read of its name and scope, and the other way round", () => {
  assert.equal(readGroupOf(zone("DNS Write")), zone("DNS Read"));
  assert.equal(writeGroupOf(zone("DNS Read")), zone("DNS Write"));
  assert.equal(
    readGroupOf(account("Access: Apps and Policies Write")),
    account("Access: Apps and Policies Read"),
  );
  assert.equal(
    readGroupOf(account("Magic Firewall Packet Captures - Write PCAPs API")),
    account("Magic Firewall Packet Captures - Read PCAPs API"),
  );
  for (const group of permissionGroups) {
    const [read, write] = [readGroupOf(group), writeGroupOf(group)];
    if (read !== undefined) {
      assert.equal(writeGroupOf(read), group);
      assert.equal(read.scope, group.scope);
    }
    if (write !== undefined) assert.equal(readGroupOf(write), group);
    assert.ok(read === undefined || write === undefined, group.name);
  }
});

test("a group without a counterpart has none", () => {
  for (const group of [
    zone("Cache Purge"),
    zone("Page Shield Write"),
    account("Auto Rag Write Run Engine"),
  ]) {
    assert.equal(readGroupOf(group), undefined, group.name);
  }
  assert.equal(writeGroupOf(zone("Analytics Read")), undefined);
  assert.equal(readGroupOf(zone("DNS Read")), undefined);
});

test("a scope is written with the brand segment", () => {
  const scopes = [...new Set(permissionGroups.map(({ scope }) => scope))].toSorted();
  assert.deepEqual(
    scopes.map((scope) => printScope(scope, "example")),
    [
      "com.example.api.account",
      "com.example.edge.r2.bucket",
      "com.example.api.user",
      "com.example.api.account.zone",
    ],
  );
});
