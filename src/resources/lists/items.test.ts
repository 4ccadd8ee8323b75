import assert from "node:assert/strict";
import { before, test } from "node:test";

import { onComparedEngines, startTestApp, type TestApp } from "../../../test/support/harness.ts";
import { listApi } from "../../../test/support/list-api.ts";
import { storedRows } from "../../../test/support/store.ts";
import { suiteContext } from "../../../test/support/suite-context.ts";

const unknownId = "0123456789abcdef0123456789abcdef";
const now = "2026-01-02T03:04:05.678000Z";

interface Cursors {
  readonly before?: string;
  readonly after?: string;
}

onComparedEngines("items of lists", (engine) => {
  const suite = suiteContext();
  let app: TestApp;
  let api: ReturnType<typeof listApi>;
  before(async () => {
    app = await startTestApp(suite, engine);
    api = listApi(app);
  });

  const itemsOf = async (id: string, query = "") => {
    const { status, body, text } = await app.request("GET", api.items(id) + query);
    assert.equal(status, 200, text);
    const { cursors } = body.result_info as unknown as { readonly cursors: Cursors };
    return { items: body.result, cursors };
  };
  const addressesOf = async (id: string, query = "") =>
    (await itemsOf(id, query)).items.map(({ ip }: { readonly ip: string }) => ip);

  test("of each kind are answered as they were sent, in their order", async (t) => {
    const kinds = [
      ["ip", { ip: "10.0.0.0/8", comment: "Here" }, { ip: "10.0.0.0/8", comment: "Here" }],
      ["asn", { asn: 13335 }, { asn: 13335 }],
      [
        "hostname",
        { hostname: { url_hostname: "*.Example.com" } },
        { hostname: { url_hostname: "*.example.com" } },
      ],
      [
        "redirect",
        {
          redirect: {
            source_url: "example.com/blog",
            target_url: "https://example.com/new",
            status_code: 302,
          },
        },
        {
          redirect: {
            source_url: "example.com/blog",
            target_url: "https://example.com/new",
            status_code: 302,
          },
        },
      ],
    ] as const;
    for (const [kind, sent, shown] of kinds) {
      await t.test(JSON.stringify([kind, sent, shown]).slice(0, 120), async () => {
        const list = await api.create(kind, `each_${kind}`);
        await api.change("POST", list, [sent]);
        const { items } = await itemsOf(list);
        const [{ id }] = items;
        assert.deepEqual(items, [{ id, ...shown, created_on: now, modified_on: now }]);
        assert.deepEqual((await app.request("GET", `${api.items(list)}/${id}`)).body.result, items[0]);
        assert.equal((await api.read(list)).num_items, 1);
      });
    }
  });

  test("that are addresses have one spelling, and are sorted by address and then by prefix", async () => {
    const list = await api.create("ip", "sorted");
    const sent = [
      "2001:DB8::1",
      "10.0.0.1/32",
      "2001:db8:0:0::/64",
      "9.9.9.9",
      "10.0.0.77/8",
      "10.0.0.0/9",
      "2001:db8::1:0/128",
    ];
    await api.change(
      "POST",
      list,
      sent.map((ip) => ({ ip })),
    );
    assert.deepEqual(await addressesOf(list), [
      "9.9.9.9",
      "10.0.0.0/8",
      "10.0.0.0/9",
      "10.0.0.1",
      "2001:db8::/64",
      "2001:db8::1",
      "2001:db8::1:0",
    ]);
  });

  test("are added beside others, replace the same, and are removed one by one or all at once", async () => {
    const list = await api.create("ip", "changed");
    await api.change("POST", list, [{ ip: "192.0.2.1", comment: "first" }, { ip: "192.0.2.2" }]);
    const [first, second] = (await itemsOf(list)).items;
    app.advance(1_000);
    await api.change("POST", list, [{ ip: "192.0.2.1/32", comment: "changed" }, { ip: "192.0.2.3" }]);
    const [changed, same, third] = (await itemsOf(list)).items;
    assert.deepEqual(changed, { ...first, comment: "changed", modified_on: changed.modified_on });
    assert.notEqual(changed.modified_on, first.modified_on);
    assert.deepEqual(same, second);
    assert.equal((await api.read(list)).num_items, 3);

    await api.change("DELETE", list, { items: [{ id: first.id }, { id: third.id }, { id: third.id }] });
    assert.deepEqual(await addressesOf(list), ["192.0.2.2"]);
    assert.equal((await app.request("GET", `${api.items(list)}/${first.id}`)).body.errors[0]?.code, 10002);
    await api.change("PUT", list, [{ ip: "198.51.100.0/24" }, { ip: "192.0.2.2" }]);
    assert.deepEqual(await addressesOf(list), ["192.0.2.2", "198.51.100.0/24"]);
    await api.change("PUT", list, []);
    assert.deepEqual([await addressesOf(list), (await api.read(list)).num_items], [[], 0]);
    const log = await app.request("GET", `/accounts/${app.owner.accountId}/audit_logs?per_page=3`);
    const metadata = log.body.result.map((entry: { metadata: { operation: string } }) => entry.metadata);
    assert.deepEqual(
      metadata.map(({ operation, added, replaced, removed }: Record<string, unknown>) => ({
        operation,
        added,
        replaced,
        removed,
      })),
      [
        { operation: "replace", added: 0, replaced: 0, removed: 2 },
        { operation: "replace", added: 2, replaced: 0, removed: 1 },
        { operation: "remove", added: 0, replaced: 0, removed: 2 },
      ],
    );
  });

  test("that the kind of the list cannot hold are refused with a pointer, and nothing changes", async (t) => {
    const lists = new Map<string, string>();
    for (const kind of ["ip", "asn", "hostname", "redirect"]) {
      lists.set(kind, await api.create(kind, `refusing_${kind}`));
    }
    const redirect = (source_url: string, target_url = "https://example.com", more = {}) => ({
      redirect: { source_url, target_url, ...more },
    });
    const good = { ip: "192.0.2.1" };
    const refused: readonly (readonly [string, readonly object[], number, string])[] = [
      ["ip", [good, { ip: "192.0.2.256" }], 10010, "/1/ip"],
      ["ip", [{ ip: "10.0.0.0/7" }], 10010, "/0/ip"],
      ["ip", [{ ip: "2000::/11" }], 10010, "/0/ip"],
      ["ip", [{ ip: "192.0.2.0/33" }], 10010, "/0/ip"],
      ["ip", [{ ip: "::ffff:192.0.2.1" }], 10010, "/0/ip"],
      ["ip", [{}], 10010, "/0/ip"],
      ["ip", [{ asn: 1 }], 10012, "/0/asn"],
      ["ip", [good, { ip: "192.0.2.1/32" }], 10011, "/1"],
      ["ip", [{ ...good, comment: "a".repeat(501) }], 1003, "/0/comment"],
      ["asn", [{ asn: -1 }], 1003, "/0/asn"],
      ["asn", [{ asn: 4_294_967_296 }], 1003, "/0/asn"],
      ["asn", [{ asn: 1.5 }], 1003, "/0/asn"],
      ["asn", [good], 10012, "/0/ip"],
      [
        "hostname",
        [{ hostname: { url_hostname: "https://example.com" } }],
        10010,
        "/0/hostname/url_hostname",
      ],
      ["hostname", [{ hostname: { url_hostname: "example.com/path" } }], 10010, "/0/hostname/url_hostname"],
      ["hostname", [{ hostname: { url_hostname: "*example.com" } }], 10010, "/0/hostname/url_hostname"],
      ["hostname", [{ hostname: { url_hostname: "a.*.example.com" } }], 10010, "/0/hostname/url_hostname"],
      ["hostname", [{ hostname: { url_hostname: "example" } }], 10010, "/0/hostname/url_hostname"],
      ["hostname", [{ hostname: {} }], 1003, "/0/hostname/url_hostname"],
      ["redirect", [redirect("example.com:80/")], 10010, "/0/redirect/source_url"],
      ["redirect", [redirect("ftp://example.com/")], 10010, "/0/redirect/source_url"],
      ["redirect", [redirect("example.com/?q=1")], 10010, "/0/redirect/source_url"],
      ["redirect", [redirect("example.com/#top")], 10010, "/0/redirect/source_url"],
      ["redirect", [redirect("user@example.com/")], 10010, "/0/redirect/source_url"],
      ["redirect", [redirect("*.example.com/")], 10010, "/0/redirect/source_url"],
      ["redirect", [redirect("example.com/", "/relative")], 10010, "/0/redirect/target_url"],
      [
        "redirect",
        [redirect("example.com/", "https://example.com/?q=1", { preserve_query_string: true })],
        10010,
        "/0/redirect/target_url",
      ],
      [
        "redirect",
        [redirect(`example.com${"/a".repeat(17)}`, undefined, { subpath_matching: true })],
        10010,
        "/0/redirect/source_url",
      ],
      [
        "redirect",
        [redirect("example.com/", undefined, { status_code: 303 })],
        1003,
        "/0/redirect/status_code",
      ],
      ["redirect", [redirect("example.com"), redirect("EXAMPLE.com/")], 10011, "/1"],
    ];
    const earlier = await storedRows(app);
    for (const [kind, body, code, pointer] of refused) {
      await t.test(JSON.stringify([kind, body, code]).slice(0, 120), async () => {
        for (const method of ["POST", "PUT"]) {
          const {
            status,
            body: answer,
            text,
          } = await app.request(method, api.items(lists.get(kind) ?? ""), { body });
          assert.equal(status, 400, `${JSON.stringify(body)}: ${text}`);
          const [error] = answer.errors;
          assert.deepEqual([error?.code, error?.source?.pointer], [code, pointer], text);
        }
      });
    }
    const path = api.items(lists.get("ip") ?? "");
    for (const [body, status, code] of [
      [{ items: [{ id: unknownId }] }, 404, 10002],
      [{ items: [] }, 400, 1003],
      [{ items: [{ id: "x" }] }, 400, 1003],
      [undefined, 400, 1003],
    ] as const) {
      await t.test(JSON.stringify([body, status, code]).slice(0, 120), async () => {
        const answer = await app.request("DELETE", path, body === undefined ? {} : { body });
        assert.deepEqual([answer.status, answer.body.errors[0]?.code], [status, code], answer.text);
      });
    }
    assert.deepEqual(await storedRows(app), earlier);
    const wrong = await app.request("POST", path, { body: [{ asn: 1 }] });
    assert.equal(wrong.body.errors[0]?.message, "items of type asn can not be added to lists of type ip");
  });

  test("are walked from cursor to cursor, there and back, each of them once", async () => {
    const list = await api.create("ip", "walked");
    const all = Array.from({ length: 53 }, (_, index) => `192.0.2.${index + 1}`);
    await api.change(
      "POST",
      list,
      all.map((ip) => ({ ip })),
    );
    for (const query of ["per_page=10", "per_page=10&search=192.0"]) {
      const walked: string[][] = [];
      let { items, cursors } = await itemsOf(list, `?${query}`);
      assert.equal(cursors.before, undefined);
      for (;;) {
        walked.push(items.map(({ ip }: { readonly ip: string }) => ip));
        if (cursors.after === undefined) break;
        ({ items, cursors } = await itemsOf(list, `?${query}&cursor=${cursors.after}`));
      }
      assert.deepEqual(walked.flat(), all);
      assert.deepEqual(
        walked.map(({ length }) => length),
        [10, 10, 10, 10, 10, 3],
      );
      for (const part of walked.slice(0, -1).toReversed()) {
        ({ items, cursors } = await itemsOf(list, `?${query}&cursor=${cursors.before}`));
        assert.deepEqual(
          items.map(({ ip }: { readonly ip: string }) => ip),
          part,
        );
      }
      assert.equal(cursors.before, undefined);
    }
    assert.equal((await itemsOf(list)).items.length, 25);
    assert.equal((await itemsOf(list, "?per_page=5000")).items.length, 53);
    for (const query of ["cursor=x", "cursor=a!", "per_page=0", "per_page=ten", "cursor=aAA%3D%3D"]) {
      const { status, body } = await app.request("GET", `${api.items(list)}?${query}`);
      assert.deepEqual([status, body.errors[0]?.code], [400, 1003], query);
    }
  });

  test("are searched for by kind: addresses by their beginning, numbers as a whole, others by a part", async () => {
    const ips = await api.create("ip", "searched_ips");
    await api.change(
      "PUT",
      ips,
      ["10.0.0.1", "10.0.0.10", "110.0.0.1", "2001:db8::/32"].map((ip) => ({ ip })),
    );
    assert.deepEqual(await addressesOf(ips, "?search=10.0"), ["10.0.0.1", "10.0.0.10"]);
    assert.deepEqual(await addressesOf(ips, "?search=2001:DB8:0::/32"), ["2001:db8::/32"]);
    assert.deepEqual(await addressesOf(ips, "?search=0.0"), []);
    assert.equal((await addressesOf(ips, "?search=")).length, 4);

    const asns = await api.create("asn", "searched_asns");
    await api.change("PUT", asns, [{ asn: 64 }, { asn: 64512 }, { asn: 7 }]);
    const found = async (list: string, search: string) => (await itemsOf(list, `?search=${search}`)).items;
    assert.deepEqual(
      (await found(asns, "64")).map(({ asn }: { asn: number }) => asn),
      [64],
    );

    const redirects = await api.create("redirect", "searched_redirects");
    const redirect = (source_url: string, target_url: string) => ({ redirect: { source_url, target_url } });
    await api.change("PUT", redirects, [
      redirect("example.com/blog", "https://example.net/"),
      redirect("example.com/news", "https://example.org/BLOG"),
      redirect("example.com/shop", "https://example.org/"),
    ]);
    assert.equal((await found(redirects, "Blog")).length, 2);
    assert.equal((await found(redirects, "%25")).length, 0);
    assert.equal((await found(redirects, "example.com/shop")).length, 1);
  });

  test("with URLs of the greatest length are kept apart, and found", async () => {
    const list = await api.create("redirect", "long");
    const long = `example.com/${"a".repeat(32 * 1024 - 13)}`;
    const redirect = (source_url: string) => ({
      redirect: { source_url, target_url: "https://example.com" },
    });
    await api.change("PUT", list, [redirect(`${long}1`), redirect(`${long}2`)]);
    await api.change("POST", list, [redirect(`${long}1`)]);
    assert.equal((await itemsOf(list)).items.length, 2);
    assert.equal((await itemsOf(list, "?search=a2")).items.length, 1);
    const { status } = await app.request("POST", api.items(list), { body: [redirect(`${long}12`)] });
    assert.equal(status, 400);
  });
});
