import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";

import { auditActions, type AuditAction } from "../src/operation/audit-actions.ts";
import { operations } from "../src/server/operations.ts";
import { accountParts, zoneParts, type Changes } from "../src/storage/changes.ts";
import type { Database } from "../src/storage/database.ts";
import { tables, type TableName } from "../src/storage/tables.ts";
import { send, validRequests } from "./authorization/requests.ts";
import { startWorld, type World } from "./authorization/world.ts";
import { openBrowser, password } from "./support/browser.ts";
import { untilAllIssued } from "./support/certificates.ts";
import { startDnsServer } from "./support/dns-server.ts";
import { byToken, until } from "./support/harness.ts";
import { startPlanes } from "./support/planes.ts";
import { addSignInLink, addUser, openStore, storedRows } from "./support/store.ts";
import { suiteContext } from "./support/suite-context.ts";

type Row = Readonly<Record<string, unknown>>;
type Part = (typeof auditActions)[AuditAction]["affects"][number];

/** A change, `rules of 0123`: a part and the id of its zone or account; `access` is of nobody. */
type Need = string;

/** The part of a zone, or of an account, that a row belongs to by its `zone_id` or `account_id`. */
const partOfTable: Readonly<Record<string, Part>> = {
  zone_settings: "settings",
  zone_dns_settings: "settings",
  zone_dnssec: "settings",
  page_rules: "rules",
  zone_lockdowns: "rules",
  user_agent_rules: "rules",
  url_normalizations: "rules",
  managed_transforms: "rules",
  filters: "rules",
  firewall_rules: "rules",
  waf_packages: "rules",
  waf_groups: "rules",
  waf_rules: "rules",
  waf_overrides: "rules",
  rulesets: "rules",
  access_rules: "rules",
  lists: "rules",
  custom_certificates: "certificates",
  outgoing_transfers: "transfers",
  outgoing_peers: "transfers",
  incoming_transfers: "transfers",
  incoming_peers: "transfers",
  transfer_acls: "dns",
  transfer_keys: "dns",
  transfer_peers: "dns",
  account_dns_settings: "dns",
};

const tablesOfAccess = new Set([
  "users",
  "memberships",
  "resource_groups",
  "user_groups",
  "user_group_members",
  "tokens",
]);

/** Columns of a zone, and the part that each belongs to. */
const partOfColumn: Readonly<Record<string, Part>> = {
  name: "facts",
  type: "facts",
  status: "facts",
  paused: "facts",
  plan: "facts",
  waf: "facts",
  account_id: "facts",
  vanity_name_servers: "facts",
  activation_order: "facts",
  subdomain_consents: "facts",
  dns_records_version: "records",
};

/** No plane reads them. */
const unread = new Set(["modified_on", "description"]);

const isSame = (one: Row, other: Row): boolean =>
  Object.keys(one).every(
    (column) => unread.has(column) || JSON.stringify(one[column]) === JSON.stringify(other[column]),
  );

type Rows = Awaited<ReturnType<typeof storedRows>>;

/** The rows of a table that changed, as they were and as they are; undefined where there was or is none. */
function changedRows(
  table: string,
  earlier: Rows,
  later: Rows,
): (readonly [Row | undefined, Row | undefined])[] {
  const parse = (texts: readonly string[]): Row[] => texts.map((text) => JSON.parse(text) as Row);
  const [was, is] = [new Set(earlier[table]), new Set(later[table])];
  const gone = parse([...was.difference(is)]);
  const come = parse([...is.difference(was)]);
  const rows = new Map<unknown, [Row | undefined, Row | undefined]>();
  const keyOf = (row: Row): unknown =>
    JSON.stringify(tables[table as TableName].key.map((column) => row[column]));
  for (const row of gone) rows.set(keyOf(row), [row, undefined]);
  for (const row of come) rows.set(keyOf(row), [rows.get(keyOf(row))?.[0], row]);
  return [...rows.values()].filter(
    ([one, other]) => one === undefined || other === undefined || !isSame(one, other),
  );
}

/** Announcements that planes, and caches of callers, need after a change of the store. */
function needsOf(earlier: Rows, later: Rows): Set<Need> {
  const needs = new Set<Need>();
  /** With a zone or an account goes all that it owned. */
  const gone = new Set<unknown>();
  for (const [one, other] of changedRows("accounts", earlier, later))
    if (other === undefined) gone.add(one?.["id"]);
  for (const [one, other] of changedRows("zones", earlier, later)) {
    const id = (other ?? one)?.["id"];
    if (other === undefined) gone.add(id);
    for (const [column, part] of Object.entries(partOfColumn))
      if (one?.[column] !== other?.[column])
        needs.add(`${other === undefined ? "facts" : part} of ${String(id)}`);
  }
  for (const [table, part] of Object.entries(partOfTable)) {
    for (const [one, other] of changedRows(table, earlier, later)) {
      const row = other ?? one ?? {};
      const owner = row["zone_id"] ?? row["account_id"];
      if (gone.has(owner)) continue;
      // Of a user: of all of its accounts.
      if (typeof owner === "string") needs.add(`${part} of ${owner}`);
      else needs.add(`${part} of somebody`);
    }
  }
  const packs = new Map(
    [...(earlier["certificate_packs"] ?? []), ...(later["certificate_packs"] ?? [])]
      .map((text) => JSON.parse(text) as Row)
      .map(({ id, zone_id }) => [id, zone_id]),
  );
  // Certificates that are being issued are in no use yet.
  for (const [one, other] of changedRows("pack_certificates", earlier, later)) {
    const zoneId = packs.get((other ?? one)?.["pack_id"]);
    const isInUse = one?.["status"] === "active" || other?.["status"] === "active";
    if (isInUse && !gone.has(zoneId)) needs.add(`certificates of ${String(zoneId)}`);
  }
  const isOfAccess =
    [...tablesOfAccess].some((table) => changedRows(table, earlier, later).length > 0) ||
    changedRows("sessions", earlier, later).some(([, other]) => other === undefined) ||
    changedRows("accounts", earlier, later).some(
      ([one, other]) => one?.["enforces_two_factor"] !== other?.["enforces_two_factor"],
    );
  if (isOfAccess) needs.add("access");
  return needs;
}

function toldBy(heard: readonly Changes[]): Set<Need> {
  const told = new Set<Need>();
  for (const { isOfAccess, zones, accounts } of heard) {
    if (isOfAccess) told.add("access");
    for (const [id, parts] of [...zones, ...accounts]) {
      for (const part of parts) told.add(`${part} of ${id}`).add(`${part} of somebody`);
    }
  }
  return told;
}

/** Made by what is not driven here: second factors and the parent of a zone; or with nothing that differs. */
const shownBesideTheirModules: ReadonlySet<string> = new Set([
  "account_edit",
  "dnssec_status",
  "outgoing_transfer_notify",
  "passkey_add",
  "passkey_remove",
  "single_sign_on",
  "totp_add",
  "totp_remove",
  "two_factor_reset",
]);

const writes = operations.filter(({ method, isAtRoot }) => method !== "GET" && !isAtRoot);
/** Operations that leave something for the others to change come first. */
const inOrder = Object.keys(validRequests).flatMap(
  (operation) => writes.find((route) => route.operation === operation) ?? [],
);

describe("a change through the API (postgres)", () => {
  const suite = suiteContext();
  let world: World;
  let marking: Database;
  let planes: Awaited<ReturnType<typeof startPlanes>>;
  let heard: (Changes | undefined)[] = [];
  /** Each action that was made, with the parts that had to be announced after it. */
  const needed = new Map<string, Set<string>>();

  before(async () => {
    // Found by a scan.
    const resolver = await startDnsServer(suite);
    resolver.names.set("mail.example.com", { a: ["192.0.2.25"] });
    world = await startWorld(suite, "postgres", { resolvers: [resolver.address] });
    await addUser(world.app, "made@example.com", { account: world.accountId });
    (await openStore(suite, world.app)).onChange((changes) => void heard.push(changes));
    marking = await openStore(suite, world.app);
    planes = await startPlanes(suite, world.app);
  });

  let marks = 0;
  /** Announcements come in the order of their transactions: after this one, all earlier ones are there. */
  const untilAllHeard = async (): Promise<void> => {
    const mark = `mark ${(marks += 1)}`;
    await until("announcements are heard", async () => {
      await marking.transaction(async (_tx, publication) => publication.zone(mark, ["facts"]));
      return heard.some((changes) => changes?.zones.has(mark));
    });
  };

  /** An edge and a name server that follow the store serve what others read that begin now. */
  const servesWhatIsStored = async (title: string): Promise<void> => {
    const stored = await planes.servedAnew();
    let served: typeof stored = {};
    await until(
      "the planes have followed",
      async () => {
        served = await planes.served();
        return isDeepStrictEqual(served, stored);
      },
      20,
    ).catch(() => assert.deepEqual(served, stored, title));
  };

  const announces = async (title: string, change: () => Promise<unknown>): Promise<void> => {
    await untilAllIssued(world.app);
    const earlier = await storedRows(world.app);
    await untilAllHeard();
    heard = [];
    await change();
    await untilAllIssued(world.app);
    await untilAllHeard();
    const told = toldBy(heard.filter((changes) => changes !== undefined));
    const later = await storedRows(world.app);
    const needs = needsOf(earlier, later);
    const actions = changedRows("audit_logs", earlier, later).map(([, entry]) =>
      String(entry?.["action_type"]),
    );
    const parts = [...needs].map((need) => need.split(" ")[0] ?? "");
    for (const action of actions) {
      const affected = new Set<string>(auditActions[action as AuditAction].affects);
      const its = needed.get(action) ?? new Set();
      needed.set(action, its.union(new Set(parts.filter((part) => affected.has(part)))));
    }
    assert.deepEqual([...needs.difference(told)], [], `${title}: ${actions.join()}`);
    if (needs.size + told.size > 0) await servesWhatIsStored(title);
    const zonesOf = (rows: Rows) =>
      new Map((rows["zones"] ?? []).map((text) => JSON.parse(text) as Row).map((row) => [row["id"], row]));
    const [was, is] = [zonesOf(earlier), zonesOf(later)];
    for (const need of needs) {
      const [part, , id] = need.split(" ");
      if (!is.has(id) || !was.has(id)) continue;
      const column = part === "records" ? "dns_records_version" : `${part}_version`;
      assert.notEqual(is.get(id)?.[column], was.get(id)?.[column], `${title}: ${column}`);
    }
  };

  const announcesWrite = (route: (typeof inOrder)[number]): void => {
    void test(`${route.operation} announces each part that it changes, and raises its version`, async () => {
      const request = await validRequests[route.operation]?.(world);
      assert.ok(request);
      await announces(route.operation, async () => {
        const answer = await send(world, route, byToken, request);
        assert.equal(answer.status, route.answersNothing ? 204 : 200, answer.text);
      });
    });
  };
  test("what the sweep does not change is announced too", async () => {
    const { app, otherZoneId, accountId } = world;
    const answered = async (method: string, path: string, body: object): Promise<void> => {
      const { status, text } = await app.request(method, path, { body });
      assert.equal(status, 200, text);
    };
    for (const id of ["CF_BIZ", "CF_ENT"]) {
      await announces("another plan", () =>
        answered("PUT", `/zones/${otherZoneId}/subscription`, { rate_plan: { id } }),
      );
    }
    const managed = "rulesets/phases/http_request_firewall_managed/entrypoint?waf_migration=2&phase_two=1";
    await announces("a migration", () => answered("PUT", `/zones/${otherZoneId}/${managed}`, { rules: [] }));
    await announces("a user of the command line", () =>
      addUser(app, "another@example.com", { account: accountId }),
    );
  });

  /** Leaves nothing for any other test. */
  const last = "deleteAccount";
  for (const route of inOrder) {
    if (route.operation !== last) announcesWrite(route);
    // Of a paused zone, nobody serves the rules.
    if (route.operation === "editZone") {
      test("a zone that is paused no longer is announced", () =>
        announces("a zone is paused no longer", () =>
          world.app.request("PATCH", `/zones/${world.zoneId}`, { body: { paused: false } }),
        ));
    }
  }

  test("what a browser does to its user's access is announced", async () => {
    const { app } = world;
    const email = app.owner.email;
    const newPassword = `${password} renewed`;
    const token = await addSignInLink(app, email);
    const browser = openBrowser(app, world.cookies.signedIn);
    const steps = [
      ["POST", "/session/first", { token, password }],
      ["POST", "/session/api_key/change", { password }],
      ["POST", "/session/password", { current_password: password, new_password: newPassword }],
      ["DELETE", "/session", undefined],
      ["POST", "/session", { email, password: newPassword }],
      // Ends the session that the browser has.
      ["POST", "/session", { email, password: newPassword }],
      ["POST", "/session/end_others", {}],
    ] as const;
    for (const [method, path, body] of steps) {
      // Another session, which is ended.
      const current = { "/session/password": password, "/session/end_others": newPassword }[path as string];
      if (current !== undefined)
        await openBrowser(app).request("POST", "/session", { body: { email, password: current } });
      await announces(path, async () => {
        const answer = await browser.request(method, path, { body });
        assert.equal(answer.status, 200, `${path}: ${answer.text}`);
      });
    }
  });

  for (const route of inOrder) if (route.operation === last) announcesWrite(route);

  test("whatever an action affects was to be announced after it: without that, one of these tests fails", () => {
    const shown = new Set(Object.keys(auditActions)).difference(shownBesideTheirModules);
    const left = [...shown].filter((action) => {
      const affected = auditActions[action as AuditAction].affects;
      return affected.length > 0 && (needed.get(action)?.size ?? 0) === 0;
    });
    assert.deepEqual(left.toSorted(), []);
    assert.ok(
      [...zoneParts, ...accountParts].every((part) => needed.values().some((parts) => parts.has(part))),
    );
  });
});
