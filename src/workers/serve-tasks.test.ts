import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { MessageChannel } from "node:worker_threads";

import { newDirectory } from "../../test/support/harness.ts";
import type { FromWorker, ToWorker } from "./messages.ts";
import { serveTasks } from "./serve-tasks.ts";

test("a worker that could not open the store opens it with the next task", async (t) => {
  const directory = join(newDirectory(t), "data");
  writeFileSync(directory, "in the way");
  const { port1: worker, port2: port } = new MessageChannel();
  serveTasks(worker, {
    location: { engine: "sqlite", file: join(directory, "store.sqlite") },
    vendor: "v",
    originNetworks: [],
  });
  t.after(() => port.close());
  const failureOf = async (task: string): Promise<string> => {
    const caller = { user: undefined, credential: { kind: "key" }, address: "192.0.2.1" } as const;
    port.postMessage({ kind: "run", order: { task, caller, input: {}, now: 0 } } satisfies ToWorker);
    const [answer] = (await once(port, "message")) as [FromWorker];
    assert.equal(answer.kind, "failed");
    return answer.error.message;
  };
  assert.match(await failureOf("first"), /EEXIST|ENOTDIR/);
  rmSync(directory);
  mkdirSync(directory);
  assert.equal(await failureOf("second"), "no task second");
  port.postMessage({ kind: "end" } satisfies ToWorker);
  await once(port, "close");
});
