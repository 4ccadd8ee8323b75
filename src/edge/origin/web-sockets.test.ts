import assert from "node:assert/strict";
import { once } from "node:events";
import { Duplex } from "node:stream";
import { test } from "node:test";

import { relay } from "./web-sockets.ts";

test("what an origin sent before it left reaches a visitor that takes it later, and nothing after that", async () => {
  const origin = new Duplex({
    read: () => undefined,
    write: (_part, _, done) => done(),
    allowHalfOpen: false,
  });
  const taken: string[] = [];
  let takeMore: () => void = () => undefined;
  const visitor = new Duplex({
    read: () => undefined,
    write: (part: Buffer, _, done) => {
      taken.push(part.toString());
      takeMore = done;
    },
  });
  relay(visitor, origin, Buffer.alloc(0));
  const left = once(origin, "close");
  for (const part of ["one", "two", null]) origin.push(part);
  await left;
  assert.deepEqual([taken, visitor.destroyed], [["one"], false]);
  takeMore();
  assert.deepEqual(taken, ["one", "two"]);
  const ended = once(visitor, "close");
  takeMore();
  await ended;
  assert.equal(visitor.writableFinished, true);
});

test("a WebSocket that breaks on one side is ended on the other", async () => {
  for (const isOriginBroken of [true, false]) {
    const sides = [0, 1].map(() => new Duplex({ read: () => undefined, write: (_part, _, done) => done() }));
    const [origin, visitor] = sides as [Duplex, Duplex];
    relay(visitor, origin, Buffer.alloc(0));
    const [broken, other] = isOriginBroken ? [origin, visitor] : [visitor, origin];
    const ended = once(other, "close");
    broken.destroy();
    await ended;
  }
});
