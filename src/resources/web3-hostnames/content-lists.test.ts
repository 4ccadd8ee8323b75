import assert from "node:assert/strict";
import { before, test } from "node:test";

import Cloudflare, { NotFoundError } from "cloudflare";

import { onComparedEngines, ownerToken, startTestApp, type TestApp } from "../../../test/support/harness.ts";
import { suiteContext } from "../../../test/support/suite-context.ts";
import { loggedActions } from "../../../test/support/logged-actions.ts";

const cidV0 = "QmPZ9gcCEpqKTo6aq61g2nXGUhM4iCL3ewB6LDXZCtioEB";
const cidV1 = "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi";
const path = `/ipfs/${cidV0}/readme`;
const unknownId = "0123456789abcdef0123456789abcdef";

onComparedEngines("content lists of Web3 hostnames", (engine) => {
  const suite = suiteContext();
  let app: TestApp;
  let client: Cloudflare;
  let zone_id: string;
  before(async () => {
    app = await startTestApp(suite, engine);
    client = new Cloudflare({ baseURL: app.baseUrl, apiToken: ownerToken, maxRetries: 0 });
    zone_id = await app.createZone("example.com");
  });
  let names = 0;
  const createGateway = async (target: "ipfs_universal_path" | "ipfs" = "ipfs_universal_path") => {
    names += 1;
    const { id = "" } = await client.web3.hostnames.create({
      zone_id,
      name: `gw${names}.example.com`,
      target,
    });
    return { id, list: `/zones/${zone_id}/web3/hostnames/${id}/ipfs_universal_path/content_list` };
  };

  test("the npm package cloudflare replaces one, and creates, gets, replaces, lists and deletes entries", async () => {
    const { id } = await createGateway();
    const lists = client.web3.hostnames.ipfsUniversalPaths.contentLists;
    const { entries } = lists;
    assert.deepEqual(await lists.get(id, { zone_id }), { action: "block" });
    assert.deepEqual(await entries.list(id, { zone_id }), { entries: [] });

    const created = await entries.create(id, { zone_id, type: "cid", content: cidV0 });
    assert.deepEqual(created, {
      id: created.id,
      type: "cid",
      content: cidV0,
      description: "",
      created_on: "2026-01-02T03:04:05.678000Z",
      modified_on: "2026-01-02T03:04:05.678000Z",
    });
    const entryId = created.id ?? "";
    assert.deepEqual(await entries.get(entryId, { zone_id, identifier: id }), created);
    const replacement = { type: "content_path", content: path, description: "readme" } as const;
    const replaced = await entries.update(entryId, { zone_id, identifier: id, ...replacement });
    assert.deepEqual(replaced, { ...created, ...replacement });
    assert.deepEqual(await entries.list(id, { zone_id }), { entries: [replaced] });

    app.advance(1_000);
    const whole = [replacement, { type: "cid", content: cidV1 } as const];
    assert.deepEqual(await lists.update(id, { zone_id, action: "block", entries: whole }), {
      action: "block",
    });
    const listed = (await entries.list(id, { zone_id }))?.entries ?? [];
    assert.deepEqual(listed[0], replaced);
    assert.deepEqual([listed.length, listed[1]?.content], [2, cidV1]);
    assert.notEqual(listed[1]?.created_on, replaced.created_on);

    assert.deepEqual(await entries.delete(entryId, { zone_id, identifier: id }), { id: entryId });
    await assert.rejects(entries.get(entryId, { zone_id, identifier: id }), NotFoundError);
    await lists.update(id, { zone_id, action: "block", entries: [] });
    assert.deepEqual(await entries.list(id, { zone_id }), { entries: [] });
  });

  test("what cannot be listed is refused with a pointer to it, and nothing changes", async (t) => {
    const { list } = await createGateway();
    const { body: first } = await app.request("POST", `${list}/entries`, {
      body: { type: "cid", content: cidV0 },
    });
    const own = `/entries/${first.result.id as string}`;
    await app.request("POST", `${list}/entries`, { body: { type: "cid", content: cidV1 } });
    const kept = await app.request("GET", `${list}/entries`);

    const cases: readonly [method: string, path: string, body: unknown, code: number, pointer: string][] = [
      ["POST", "/entries", { type: "cid", content: "QmNone" }, 1004, "/content"],
      ["POST", "/entries", { type: "cid", content: path }, 1004, "/content"],
      ["POST", "/entries", { type: "content_path", content: cidV0 }, 1004, "/content"],
      ["POST", "/entries", { type: "content_path", content: "/ipfs/" }, 1004, "/content"],
      ["POST", "/entries", { type: "cid", content: cidV0 }, 1005, "/content"],
      ["POST", "/entries", { type: "url", content: path }, 1003, "/type"],
      ["PUT", own, { type: "cid", content: cidV1 }, 1005, "/content"],
      ["PUT", own, { type: "cid" }, 1003, "/content"],
      ["PUT", "", { action: "allow", entries: [] }, 1003, "/action"],
      ["PUT", "", { action: "block", entries: [{}] }, 1003, "/entries/0/type"],
      [
        "PUT",
        "",
        { action: "block", entries: [{ type: "content_path", content: "x" }] },
        1004,
        "/entries/0/content",
      ],
      [
        "PUT",
        "",
        {
          action: "block",
          entries: [
            { type: "cid", content: cidV0 },
            { type: "cid", content: cidV0 },
          ],
        },
        1005,
        "/entries/1/content",
      ],
    ];
    for (const [method, below, body, code, pointer] of cases)
      await t.test(`${method} ${below} ${JSON.stringify(body).slice(0, 80)}`, async () => {
        const refused = await app.request(method, list + below, { body });
        const error = refused.body.errors[0];
        assert.deepEqual([refused.status, error?.code, error?.source?.pointer], [400, code, pointer]);
      });
    assert.equal((await app.request("GET", `${list}/entries`)).text, kept.text);
  });

  test("an unknown hostname or entry is 404 code 1002, a hostname of another target 400 code 1004", async () => {
    const { list } = await createGateway();
    const { list: otherList } = await createGateway();
    const { body: listed } = await app.request("POST", `${otherList}/entries`, {
      body: { type: "cid", content: cidV0 },
    });
    const body = { type: "cid", content: cidV1 };
    for (const entry of [unknownId, listed.result.id as string]) {
      for (const [method, sent] of [["GET"], ["PUT", body], ["DELETE"]] as const) {
        const answer = await app.request(method, `${list}/entries/${entry}`, sent ? { body: sent } : {});
        assert.deepEqual([answer.status, answer.body.errors[0]?.code], [404, 1002]);
      }
    }
    const unknownList = `/zones/${zone_id}/web3/hostnames/${unknownId}/ipfs_universal_path/content_list`;
    assert.equal((await app.request("GET", unknownList)).status, 404);
    const { list: noList } = await createGateway("ipfs");
    for (const below of ["", "/entries"]) {
      const answer = await app.request("GET", noList + below);
      assert.deepEqual([answer.status, answer.body.errors[0]?.code], [400, 1004]);
    }
  });

  test("a list has 1,000 entries at most", async () => {
    const { list } = await createGateway();
    const entries = Array.from({ length: 1_000 }, (_, index) => ({
      type: "content_path",
      content: `/ipns/${index}.example.com`,
    }));
    const full = await app.request("PUT", list, { body: { action: "block", entries } });
    assert.equal(full.status, 200, full.text);
    const more = { type: "cid", content: cidV0 };
    const refused = await app.request("POST", `${list}/entries`, { body: more });
    assert.deepEqual([refused.status, refused.body.errors[0]?.code], [400, 1006]);
    const tooMany = await app.request("PUT", list, {
      body: { action: "block", entries: [...entries, more] },
    });
    assert.equal(tooMany.body.errors[0]?.source?.pointer, "/entries");
    assert.equal((await app.request("GET", `${list}/entries`)).body.result.entries.length, 1_000);
  });

  test("below Enterprise a list is read and cleared, and nothing added", async () => {
    const { list } = await createGateway();
    const entry = { type: "cid", content: cidV0 };
    const { body: listed } = await app.request("POST", `${list}/entries`, { body: entry });
    const own = `${list}/entries/${listed.result.id as string}`;
    await app.request("PATCH", `/zones/${zone_id}`, { body: { plan: { id: "business" } } });
    const changes = [
      ["POST", `${list}/entries`, { type: "cid", content: cidV1 }],
      ["PUT", own, { ...entry, description: "changed" }],
      ["PUT", list, { action: "block", entries: [] }],
    ] as const;
    for (const [method, at, body] of changes) {
      const refused = await app.request(method, at, { body });
      assert.deepEqual([refused.status, refused.body.errors[0]?.code], [400, 1007]);
    }
    assert.deepEqual((await app.request("GET", own)).body.result, listed.result);
    assert.equal((await app.request("DELETE", own)).status, 200);
    assert.deepEqual((await app.request("GET", `${list}/entries`)).body.result, { entries: [] });
    await app.request("PATCH", `/zones/${zone_id}`, { body: { plan: { id: "enterprise" } } });
  });

  test("every change leaves an entry in the audit log, and a deleted hostname takes its list along", async () => {
    const { id, list } = await createGateway();
    const { body: listed } = await app.request("POST", `${list}/entries`, {
      body: { type: "cid", content: cidV0 },
    });
    const own = `${list}/entries/${listed.result.id as string}`;
    await app.request("PUT", own, { body: { type: "cid", content: cidV1 } });
    await app.request("DELETE", own);
    await app.request("PUT", list, {
      body: { action: "block", entries: [{ type: "cid", content: cidV0 }] },
    });
    assert.equal((await app.request("DELETE", `/zones/${zone_id}/web3/hostnames/${id}`)).status, 200);
    assert.deepEqual((await loggedActions(app)).slice(0, 5), [
      "web3_hostname_delete",
      "web3_content_list_edit",
      "web3_content_list_entry_delete",
      "web3_content_list_entry_edit",
      "web3_content_list_entry_add",
    ]);
    const gone = await app.request("GET", `${list}/entries`);
    assert.equal(gone.body.errors[0]?.code, 1002);
  });
});
