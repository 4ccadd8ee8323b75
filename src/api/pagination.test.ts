import assert from "node:assert/strict";
import { before, test } from "node:test";

import * as fc from "fast-check";

import { onComparedEngines, startTestApp, type TestApp } from "../../test/support/harness.ts";
import { addAccount } from "../../test/support/store.ts";
import { suiteContext } from "../../test/support/suite-context.ts";

interface ListedZone {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly account: { readonly id: string; readonly name: string };
  readonly plan: { readonly id: string };
}

const orderings: Readonly<Record<string, (zone: ListedZone) => string>> = {
  name: (zone) => zone.name,
  status: (zone) => zone.status,
  "account.id": (zone) => zone.account.id,
  "account.name": (zone) => zone.account.name.toLowerCase(),
  "plan.id": (zone) => zone.plan.id,
};

async function createZones(app: TestApp, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, index) => `zone-${index}.example`);
  return Promise.all(names.map((name) => app.createZone(name)));
}

onComparedEngines("page parameters", (engine) => {
  const suite = suiteContext();
  let app: TestApp;
  before(async () => {
    app = await startTestApp(suite, engine);
  });

  test("a page or size that is not an integer of at least 1 is 400 with a pointer to the parameter", async () => {
    const zoneId = await app.createZone("example.com");
    const values = [
      "0", "-1", "-0", "1.5", "1e3", "0x10", "abc", "", "%20", "%201", "1%20", "+1", "1,2", "null", "NaN",
      "Infinity", "%D9%A1", "%00",
    ]; // prettier-ignore
    for (const path of ["/zones", "/accounts", "/memberships", `/zones/${zoneId}/dns_records`]) {
      for (const parameter of ["page", "per_page"]) {
        for (const value of values) {
          const { status, body } = await app.request("GET", `${path}?${parameter}=${value}`);
          assert.equal(status, 400, `${path} ${parameter}=${value}`);
          assert.equal(body.result, null);
          assert.deepEqual(body.errors, [
            {
              code: 1003,
              message: `Invalid query parameter \`${parameter}\`: must be an integer of at least 1`,
              source: { pointer: `/${parameter}` },
            },
          ]);
        }
      }
    }
    assert.equal((await app.request("GET", "/zones?page=1&page=2")).status, 400);
  });

  test("an order outside the options is 400 and names them", async () => {
    const options = {
      "/zones": "name, status, account.id, account.name, plan.id",
      "/accounts": "name, id",
      "/memberships": "account.name, id, status",
    };
    for (const [path, names] of Object.entries(options)) {
      for (const order of ["bogus", "", "created_on", "name,status", "__proto__", "zones.name", "%00"]) {
        const { status, body } = await app.request("GET", `${path}?order=${order}`);
        assert.equal(status, 400, `${path} ${order}`);
        assert.deepEqual(body.errors, [
          {
            code: 1003,
            message: `Invalid query parameter \`order\`: must be one of: ${names}`,
            source: { pointer: "/order" },
          },
        ]);
      }
      for (const order of names.split(", "))
        assert.equal((await app.request("GET", `${path}?order=${order}`)).status, 200, order);
    }
  });

  test("a direction is understood in any case, and no other word", async () => {
    await Promise.all(["b", "c", "a"].map((name) => app.createZone(`${name}.direction.example`)));
    const directions = { asc: "abc", ASC: "abc", Asc: "abc", desc: "cba", DESC: "cba", dEsC: "cba" };
    for (const [direction, expected] of Object.entries(directions)) {
      const { body } = await app.request(
        "GET",
        `/zones?name=ends_with:.direction.example&order=name&direction=${direction}`,
      );
      const initials = body.result.map(({ name }: ListedZone) => name[0]).join("");
      assert.equal(initials, expected, direction);
    }
    for (const direction of ["up", "ascending", "", "asc,desc"]) {
      const { status, body } = await app.request("GET", `/zones?direction=${direction}`);
      assert.equal(status, 400, direction);
      assert.deepEqual(body.errors, [
        {
          code: 1003,
          message: "Invalid query parameter `direction`: must be one of: asc, desc",
          source: { pointer: "/direction" },
        },
      ]);
    }
  });
});

onComparedEngines("pages", (engine) => {
  test("a page has 20 results by default", async (t) => {
    const app = await startTestApp(t, engine);
    const ids = await createZones(app, 45);
    const pages = await Promise.all([1, 2, 3].map((page) => app.request("GET", `/zones?page=${page}`)));
    assert.deepEqual(
      pages.map(({ body }) => body.result_info),
      [20, 20, 5].map((count, index) => ({
        page: index + 1,
        per_page: 20,
        count,
        total_count: 45,
        total_pages: 3,
      })),
    );
    const listed = pages.flatMap(({ body }) => (body.result as ListedZone[]).map(({ id }) => id));
    assert.deepEqual(listed.toSorted(), ids.toSorted());
    assert.equal((await app.request("GET", "/zones")).text, pages[0]?.text);
  });

  test("a page has the size that the client asks for, lowered to the bound", async (t) => {
    const app = await startTestApp(t, engine);
    await createZones(app, 7);
    const cases = [
      ["1", 1, 1],
      ["05", 5, 5],
      ["7", 7, 7],
      ["50", 50, 7],
      ["100", 100, 7],
      ["1000", 1_000, 7],
      ["1001", 1_000, 7],
      ["5000000", 1_000, 7],
      ["99999999999999999999999999", 1_000, 7],
    ] as const;
    for (const [asked, perPage, count] of cases) {
      const { status, body } = await app.request("GET", `/zones?per_page=${asked}`);
      assert.equal(status, 200, asked);
      assert.deepEqual(body.result_info, {
        page: 1,
        per_page: perPage,
        count,
        total_count: 7,
        total_pages: Math.ceil(7 / perPage),
      });
      assert.equal(body.result.length, count);
    }
  });

  test("a page past the end is 200 and empty, however far", async (t) => {
    const app = await startTestApp(t, engine);
    await createZones(app, 3);
    for (const page of ["2", "1000", "2147483647", "2147483648", "9007199254740993", "9".repeat(400)]) {
      for (const path of ["/zones?per_page=1000", "/accounts?x", "/memberships?x"]) {
        const { status, body } = await app.request("GET", `${path}&page=${page}`);
        assert.equal(status, 200, page);
        assert.deepEqual(body.result, []);
        assert.equal(body.result_info?.count, 0);
        assert.equal(body.result_info?.total_count, path.startsWith("/zones") ? 3 : 1);
        assert.equal(body.result_info?.total_pages, 1);
      }
    }
  });

  test("pages of any size and order never overlap and leave nothing out", async (t) => {
    const app = await startTestApp(t, engine);
    const second = await addAccount(app, "another team", "accepted");
    const ids = await createZones(app, 17);
    for (const [index, plan] of ["free", "pro", "business", "enterprise"].entries()) {
      const body = { name: `other-${index}.example`, account: { id: second } };
      const { id } = (await app.request("POST", "/zones", { body })).body.result;
      await app.request("PATCH", `/zones/${id}`, { body: { plan: { id: plan } } });
      if (index % 2 === 0) await app.request("PUT", `/zones/${id}/activation_check`);
      ids.push(id as string);
    }

    const walk = async (query: string): Promise<ListedZone[]> => {
      const seen: ListedZone[] = [];
      for (let page = 1; ; page += 1) {
        const { body } = await app.request("GET", `/zones?${query}&page=${page}`);
        if (body.result.length === 0) return seen;
        seen.push(...(body.result as ListedZone[]));
      }
    };
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 3, max: 25 }),
        fc.constantFrom(...Object.keys(orderings)),
        fc.constantFrom("asc", "desc"),
        async (perPage, order, direction) => {
          const zones = await walk(`per_page=${perPage}&order=${order}&direction=${direction}`);
          const keyOf = orderings[order] ?? (() => "");
          const expected = zones.toSorted((one, other) => {
            const comparison =
              compare(keyOf(one), keyOf(other)) || (one.id < other.id ? -1 : Number(one.id !== other.id));
            return direction === "asc" ? comparison : -comparison;
          });
          assert.deepEqual(
            zones.map(({ id }) => id),
            expected.map(({ id }) => id),
          );
          assert.deepEqual(zones.map(({ id }) => id).toSorted(), ids.toSorted());
        },
      ),
      { numRuns: 20 },
    );
  });
});

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
