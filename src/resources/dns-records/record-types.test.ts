import assert from "node:assert/strict";
import { test } from "node:test";

import { createDnsZone, shareApp } from "../../../test/support/dns-zone.ts";
import { onComparedEngines } from "../../../test/support/harness.ts";
import { recordTypes, type RecordType } from "../../core/dns/content/record-types.ts";
import { examples, type Example } from "../../../test/support/record-examples.ts";

const created = "2026-01-02T03:04:05.678000Z";
const secondLater = "2026-01-02T03:04:06.678000Z";
const twoSecondsLater = "2026-01-02T03:04:07.678000Z";

onComparedEngines("every type of DNS record", (engine) => {
  const app = shareApp(engine);

  test("is created, read, replaced, edited and deleted, each answer with its exact fields in order", async (t) => {
    const zone = await createDnsZone(t, app());
    const ids = new Map<RecordType, string>();
    // Clients read the text of an answer, so the order of its fields is part of it.
    const answerOf = (type: RecordType, shown: Example["shown"], changes: object): string => {
      const { proxiable = false, settings = {} } = examples[type];
      const { content, priority, data } = shown;
      const result = {
        id: ids.get(type),
        zone_id: zone.id,
        zone_name: "example.com",
        name: `${type.toLowerCase()}.example.com`,
        type,
        content,
        ...(priority !== undefined && { priority }),
        ...(data !== undefined && { data }),
        proxiable,
        proxied: false,
        ttl: 1,
        settings,
        meta: {},
        comment: null,
        tags: [],
        created_on: created,
        modified_on: created,
        ...changes,
      };
      return JSON.stringify({ result, success: true, errors: [], messages: [] });
    };

    for (const type of recordTypes) {
      const { sent, shown } = examples[type];
      const answer = await zone.send("POST", "", { type, name: type, ...sent });
      assert.equal(answer.status, 200, answer.text);
      ids.set(type, answer.body.result.id);
      assert.equal(answer.text, answerOf(type, shown, {}));
      assert.equal((await zone.send("GET", `/${ids.get(type)}`)).text, answer.text);
    }
    app().advance(1000);
    for (const type of recordTypes) {
      const { otherSent, otherShown } = examples[type];
      const answer = await zone.send("PUT", `/${ids.get(type)}`, { type, name: type, ...otherSent });
      assert.equal(answer.text, answerOf(type, otherShown, { modified_on: secondLater }));
    }
    app().advance(1000);
    for (const type of recordTypes) {
      const answer = await zone.send("PATCH", `/${ids.get(type)}`, { ttl: 300, comment: "edited" });
      const changes = { ttl: 300, comment: "edited", modified_on: twoSecondsLater };
      const expected = answerOf(type, examples[type].otherShown, {
        ...changes,
        comment_modified_on: twoSecondsLater,
      });
      assert.equal(answer.text, expected);
      assert.equal((await zone.send("GET", `/${ids.get(type)}`)).text, expected);
    }
    assert.equal((await zone.list()).length, recordTypes.length);
    for (const [type, id] of ids) {
      const answer = await zone.send("DELETE", `/${id}`);
      assert.equal(answer.text, JSON.stringify({ result: { id }, success: true, errors: [], messages: [] }));
      const gone = await zone.send("GET", `/${id}`);
      assert.deepEqual([gone.status, gone.body.errors[0]?.code], [404, 81044], type);
    }
    assert.deepEqual(await zone.list(), []);
  });
});
