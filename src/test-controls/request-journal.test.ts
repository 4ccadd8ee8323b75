import assert from "node:assert/strict";
import { test } from "node:test";

import { Capture } from "./kept-entries.ts";
import type { Recorded } from "./journal-entry.ts";
import { RequestJournal } from "./request-journal.ts";

const octetsOfAnswer = 16 * 1024;

const request: Omit<Recorded, "number" | "body" | "answer"> = {
  listener: "api",
  at: 0,
  method: "GET",
  path: "/client/v4/user",
  query: "",
  zone: undefined,
  token: undefined,
  status: 200,
  fault: undefined,
  ms: 0,
  rawHeaders: ["x-note", "y".repeat(1_000)],
  identity: undefined,
  zoneAccountId: undefined,
};

function filledJournal(requests: number): RequestJournal {
  const journal = new RequestJournal(() => undefined);
  for (let n = 0; n < requests; n += 1) {
    const answer = new Capture();
    answer.add("x".repeat(octetsOfAnswer));
    journal.add({
      ...request,
      number: journal.nextNumber(),
      body: new Capture(),
      answer,
    });
  }
  return journal;
}

/** Counts the turns of the event loop until `work` is done. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let timer = setImmediate(function count() {
    turns += 1;
    timer = setImmediate(count);
  });
  await work();
  clearImmediate(timer);
  return turns;
}

test("a journal is searched and shown in turns of the event loop that do not grow with it", async () => {
  const journal = filledJournal(2_000);
  const searched = await turnsOf(() => journal.search({}, 2_000));
  assert.ok(searched >= (2_000 * 1_000) / (512 * 1024), `${searched} turns`);
  const { found } = await journal.search({}, 2_000);
  const shown = await turnsOf(() => Array.fromAsync(journal.render(found)));
  assert.ok(shown >= (2_000 * octetsOfAnswer) / (512 * 1024), `${shown} turns`);
});

test("a journal shows what it still has of what was found", async () => {
  const journal = filledJournal(3);
  const { found } = await journal.search({}, 10);
  const rendered = journal.render(found);
  assert.equal((await rendered.next()).done, false);
  journal.clear();
  assert.equal((await rendered.next()).done, true);
});

test("a journal keeps the newest entries of each account: those of one push out none of another", async () => {
  const journal = filledJournal(0);
  const add = (zoneAccountId: string, path: string): void => {
    const [body, answer] = [new Capture(), new Capture()];
    body.add("b\u00f6dy");
    answer.add(Buffer.from("answer"));
    journal.add({ ...request, number: journal.nextNumber(), path, zoneAccountId, body, answer });
  };
  for (let n = 0; n < 3; n += 1) add("a", `/a${n}`);
  for (let n = 0; n < 12_000; n += 1) add("b", `/b${n}`);
  const entries = await journal.entries();
  const paths = entries.map(({ path }) => path);
  assert.deepEqual([paths.slice(0, 3), paths.at(-1)], [["/a0", "/a1", "/a2"], "/b11999"]);
  assert.ok(paths.length <= 10_000 && paths.length > 9_900, String(paths.length));
  assert.equal(journal.dropped, 12_003 - paths.length);
  const [first] = await Array.fromAsync(journal.render(entries.slice(0, 1)));
  const { body, answer } = JSON.parse(first ?? "{}");
  assert.deepEqual({ body, answer }, { body: "b\u00f6dy", answer: "answer" });
});
