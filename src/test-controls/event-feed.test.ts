import assert from "node:assert/strict";
import { test } from "node:test";

import { EventFeed } from "./event-feed.ts";

test("a feed leaves a follower that does not read once 16 MiB wait for it", async () => {
  const feed = new EventFeed();
  const events = feed.follow();
  let sent = 0;
  while (feed.isFollowed && sent < 100) {
    feed.send("request", sent, "x".repeat(1024 * 1024));
    sent += 1;
  }
  assert.equal(sent, 16);
  const kept = await Array.fromAsync(events);
  assert.equal(kept.length, 16, "a comment, and fifteen events");
});
