import assert from "node:assert/strict";
import { test } from "node:test";

import { createDnsZone, shareApp } from "../support/dns-zone.ts";
import { onComparedEngines, startTestApp, type Envelope, type TestApp } from "../support/harness.ts";
import { addAccount } from "../support/store.ts";

/** Asks for a page of one list. */
type Ask = (query: Readonly<Record<string, number | string>>) => Promise<Envelope>;

/** The ways in which clients come to the whole of a list; each answers the ids that it meets. */
const walks: Readonly<Record<string, (ask: Ask) => Promise<string[]>>> = {
  "until a page is empty (SDKs for TypeScript, Python and Go)": (ask) => untilEmpty(ask, {}),
  "until a page is empty, in pages of 5,000,000 (Terraform 5)": (ask) =>
    untilEmpty(ask, { per_page: 5_000_000 }),
  "until total_pages, 100 a page (cloudflare-go 0, lexicon)": async (ask) => {
    const ids: string[] = [];
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const { result, result_info } = await ask({ page, per_page: 100 });
      ids.push(...idsOf(result));
      pages = result_info?.total_pages ?? 0;
    }
    return ids;
  },
  "while a page is full (octoDNS)": async (ask) => {
    const ids: string[] = [];
    for (let page = 1; ; page += 1) {
      const { result, result_info } = await ask({ page, per_page: 50 });
      ids.push(...idsOf(result));
      if (result_info?.count !== result_info?.per_page) return ids;
    }
  },
  "all pages but the first at once, each of 50 exactly (cloudflare-go 0)": async (ask) => {
    const perPage = 50;
    const first = await ask({ page: 1, per_page: perPage });
    const { total_pages = 0, total_count = 0 } = first.result_info ?? {};
    const numbers = Array.from({ length: total_pages - 1 }, (_, index) => index + 2);
    const others = await Promise.all(numbers.map((page) => ask({ page, per_page: perPage })));
    const sizes = [first, ...others].map(({ result }) => result.length);
    assert.deepEqual(
      sizes,
      sizes.map((_, index) => Math.min(perPage, total_count - index * perPage)),
    );
    return [first, ...others].flatMap(({ result }) => idsOf(result));
  },
  "until as many are met as total_count says, 10 a page": async (ask) => {
    const ids: string[] = [];
    for (let page = 1, total = 1; ids.length < total; page += 1) {
      const { result, result_info } = await ask({ page, per_page: 10 });
      ids.push(...idsOf(result));
      total = result_info?.total_count ?? 0;
    }
    return ids;
  },
};

onComparedEngines("habits of clients with lists", (engine) => {
  const shared = shareApp(engine);

  test("however a client walks through zones or records, it comes to the same set", async (t) => {
    const app = await startTestApp(t, engine);
    const names = Array.from({ length: 123 }, (_, index) => `zone-${index}.example`);
    const zoneIds = await Promise.all(names.map((name) => app.createZone(name)));
    const posts = Array.from({ length: 245 }, (_, index) => ({
      type: "A",
      name: `h${index}`,
      content: "192.0.2.1",
    }));
    const records = `/zones/${zoneIds[0]}/dns_records`;
    const batch = await app.request("POST", `${records}/batch`, { body: { posts } });
    const lists = { "/zones": zoneIds, [records]: idsOf(batch.body.result.posts) };
    for (const [path, ids] of Object.entries(lists)) {
      const ask = askFor(app, path);
      for (const [title, walk] of Object.entries(walks)) {
        assert.deepEqual((await walk(ask)).toSorted(), ids.toSorted(), `${path} ${title}`);
      }
      const whole = await ask({ per_page: 1_000 });
      assert.deepEqual(idsOf((await ask({})).result), idsOf(whole.result).slice(0, 20), "the first 20 alone");
    }
  });

  test("the sizes that scripts and SDKs ask for are honoured, and larger ones than there are do not fail", async (t) => {
    const zone = await createDnsZone(t, shared());
    for (const path of ["/zones", `/zones/${zone.id}/dns_records`, "/accounts", "/memberships"]) {
      for (const size of [1, 5, 10, 50, 100, 1_000, 50_000, 5_000_000]) {
        const { result_info } = await askFor(shared(), path)({ per_page: size });
        const bound = path.endsWith("dns_records") ? 5_000 : 1_000;
        assert.equal(result_info?.per_page, Math.min(size, bound), `${path} ${size}`);
      }
    }
  });

  test("each list tells Go clients its place in integers, an empty one and a page past the end too", async (t) => {
    const zone = await createDnsZone(t, shared());
    const totals = { "/zones": 1, [`/zones/${zone.id}/dns_records`]: 0, "/accounts": 1, "/memberships": 1 };
    for (const [path, total_count] of Object.entries(totals)) {
      for (const page of [1, 2, 100]) {
        const answer = await askFor(shared(), path)({ page });
        const count = page === 1 ? total_count : 0;
        const place = { page, per_page: 20, count, total_count, total_pages: 1 };
        assert.deepEqual(answer.result_info, place, path);
        assert.equal(answer.result.length, count, path);
      }
    }
  });

  test("parameters that older and newer clients send, and a direction in any case, are no error", async (t) => {
    const zone = await createDnsZone(t, shared());
    const queries = [
      { _: "1700000000", include_shadow_metadata: "true", api_key: "x" },
      { direction: "ASC", order: "name" },
      { direction: "Desc", order: "name", match: "all" },
      { page: "1", per_page: "50", status: "", name: "" },
    ];
    for (const path of ["/zones", `/zones/${zone.id}/dns_records`]) {
      for (const query of queries) {
        if (path === "/zones" && query.status === "") continue;
        await askFor(shared(), path)(query);
      }
    }
  });

  test("the filters of zones as the clients write them", async (t) => {
    const app = await startTestApp(t, engine);
    const other = await addAccount(app, "Another Team", "accepted");
    const mine = app.owner.accountId;
    const accounts = {
      "example.com": mine,
      "example.net": mine,
      "sub.example.com": mine,
      "other.example": other,
    };
    for (const [name, id] of Object.entries(accounts)) {
      await app.request("POST", "/zones", { body: { name, account: { id } } });
    }
    const cases: readonly (readonly [query: Record<string, string>, names: string])[] = [
      [{ name: "example.com" }, "example.com"],
      [{ name: "EXAMPLE.com", per_page: "1" }, "example.com"],
      [{ name: "equal:example.com" }, "example.com"],
      [{ name: "starts_with:example." }, "example.com example.net"],
      [{ name: "ends_with:example.com" }, "example.com sub.example.com"],
      [{ name: "contains:b.example" }, "sub.example.com"],
      [{ name: "nothing.example" }, ""],
      [{ name: "example.com", "account.id": mine, status: "pending" }, "example.com"],
      [{ name: "example.com", status: "active" }, ""],
      [{ "account.id": other }, "other.example"],
      [{ "account[id]": other }, "other.example"],
      [{ "account.name": "Another Team" }, "other.example"],
      [{ name: "example.net", "account.id": other, match: "any" }, "example.net other.example"],
    ];
    for (const [query, names] of cases) {
      const { result } = await askFor(app, "/zones")(query);
      assert.equal(namesOf(result), names, JSON.stringify(query));
    }
  });

  test("the filters of records as the clients write them", async (t) => {
    const zone = await createDnsZone(t, shared());
    const posts = [
      { type: "A", name: "www", content: "192.0.2.1", tags: ["team:web", "env:prod"], proxied: true },
      { type: "AAAA", name: "www", content: "2001:db8::1", comment: "Six" },
      { type: "A", name: "api", content: "192.0.2.2", tags: ["team:web"] },
      { type: "MX", name: "@", content: "mx.example.net", priority: 10 },
      { type: "TXT", name: "_acme-challenge", content: "Token_1-a" },
    ];
    const batch = await zone.send("POST", "/batch", { posts });
    assert.equal(batch.status, 200, batch.text);
    const cases: readonly (readonly [query: string, names: string])[] = [
      ["type=A&name=www.example.com", "www"],
      ["name=WWW.example.com.&type=AAAA", "www"],
      ["type=A,AAAA&name=www.example.com", "www www"],
      ["type=TXT&name=_acme-challenge.example.com&content=Token_1-a&per_page=1", "_acme-challenge"],
      ["type=TXT&name.exact=_acme-challenge.example.com&content.exact=Token_1-a", "_acme-challenge"],
      ["type=TXT&name[exact]=_acme-challenge.example.com&content[exact]=Token_1-a", "_acme-challenge"],
      ["name.startswith=w&name.endswith=.com&proxied=true", "www"],
      ["content=mx.example.net.&type=MX", "@"],
      ["content.contains=192.0.2", "api www"],
      ["comment=six", "www"],
      ["search=acme", "_acme-challenge"],
      ["name=www.example.com&content=192.0.2.2&match=any", "api www www"],
      ["tag=team:web&tag=env:prod&tag-match=all", "www"],
      ["tag=team:web&tag=env:prod&tag-match=any", "api www"],
      ["tag.exact=team:web&tag_match=any", "api www"],
    ];
    for (const [query, names] of cases) {
      const { status, text, body } = await zone.send("GET", `?order=name&${query}`);
      assert.equal(status, 200, text);
      assert.equal(
        namesOf(body.result)
          .replaceAll(/\.?example\.com/g, "")
          .trim() || "@",
        names,
        query,
      );
    }
  });
});

async function untilEmpty(ask: Ask, size: Readonly<Record<string, number>>): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const { result } = await ask({ page, ...size });
    if (result.length === 0) return ids;
    ids.push(...idsOf(result));
  }
}

function askFor(app: TestApp, path: string): Ask {
  return async (query) => {
    const written = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    const { status, text, body } = await app.request("GET", `${path}?${written.join("&")}`);
    assert.equal(status, 200, text);
    return body;
  };
}

function idsOf(results: readonly { readonly id: string }[]): string[] {
  return results.map(({ id }) => id);
}

function namesOf(results: readonly { readonly name: string }[]): string {
  return results.map(({ name }) => name).join(" ");
}
