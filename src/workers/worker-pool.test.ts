import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";

import { until } from "../../test/support/harness.ts";
import { AppError } from "../core/error.ts";
import type { TaskWatch } from "../operation/task.ts";
import { WorkerPool } from "./worker-pool.ts";

type Options = Partial<ConstructorParameters<typeof WorkerPool>[0]>;

const program = new URL("../../test/workers/troublesome.worker.ts", import.meta.url);

/** A pool whose workers do what the names of tasks say. */
function poolFor(t: TestContext, options: Options = {}) {
  const pool = new WorkerPool({ program, settings: undefined, lend: (work) => work(), ...options });
  t.after(() => pool.close());
  const run = async (
    task: string,
    input?: unknown,
    {
      owner = "somebody",
      accountId = owner,
      isBrief = false,
      handedOver = [],
      watch = {},
    }: {
      owner?: string;
      accountId?: string;
      isBrief?: boolean;
      handedOver?: ArrayBuffer[];
      watch?: TaskWatch;
    } = {},
  ) => {
    const caller = { user: undefined, credential: { kind: "key" }, address: "192.0.2.1" } as const;
    const { result } = await pool.run({
      order: { task, caller, input, now: 0 },
      handedOver,
      accountId,
      owner,
      isBrief,
      watch,
    });
    return result;
  };
  return { pool, run };
}

/** Keeps a task `wait` going until it is let go. */
function hold() {
  const number = new Int32Array(new SharedArrayBuffer(4));
  const letGo = (): void => {
    Atomics.store(number, 0, 1);
    Atomics.notify(number, 0);
  };
  return { number, letGo };
}

function isRefused(kind: AppError["kind"], code: number): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof AppError, String(error));
    assert.deepEqual([error.kind, error.code], [kind, code], error.message);
    return true;
  };
}

describe("WorkerPool", () => {
  test("answers what a task answers, and hands buffers over instead of copying them", async (t) => {
    const { run } = poolFor(t);
    const { buffer } = Uint8Array.from([1, 2, 3]);
    assert.deepEqual(await run("answer", { buffer }, { handedOver: [buffer] }), {
      buffer: Uint8Array.from([1, 2, 3]).buffer,
    });
    assert.equal(buffer.detached, true);
  });

  test("refuses as the task refuses, with code, pointer and chain", async (t) => {
    const { run } = poolFor(t);
    await assert.rejects(run("refuse"), (error) => {
      assert.ok(error instanceof AppError);
      const { kind, code, message, pointer, chain } = error;
      assert.deepEqual([kind, code, message, pointer], ["invalid", 9350, "Line 3: no", "/file"]);
      assert.deepEqual(chain, [{ code: 1, message: "2" }]);
      return true;
    });
  });

  test("a task that breaks its worker is refused, and the next one gets another worker", async (t) => {
    const { run } = poolFor(t, { limits: { taskMsMax: 60_000 } });
    for (const [task, kind, code] of [
      ["crash", "unavailable", 10505],
      ["exit", "unavailable", 10505],
      ["run out of memory", "too-large", 10413],
    ] as const) {
      await assert.rejects(run(task), isRefused(kind, code), task);
      assert.equal(await run("answer", task), task);
    }
  });

  test("a task that does not end is cut short", async (t) => {
    const { run } = poolFor(t, { limits: { taskMsMax: 100 } });
    await assert.rejects(run("hang"), isRefused("unavailable", 10505));
  });

  test("a thread that cannot be started refuses its own task, and nothing else", async (t) => {
    const { run } = poolFor(t, { program: new URL("http://127.0.0.1/"), limits: { threadsMax: 1 } });
    const runs = await Promise.allSettled([
      run("answer"),
      run("answer", 1, { isBrief: true }),
      run("answer"),
    ]);
    for (const outcome of runs) {
      assert.equal(outcome.status, "rejected");
      isRefused("unavailable", 10505)(outcome.reason);
    }
  });

  test("input that cannot be sent is an error, and the worker goes on", async (t) => {
    const { run } = poolFor(t);
    await assert.rejects(
      run("answer", () => 1),
      /could not be cloned/,
    );
    assert.equal(await run("answer", 2), 2);
  });

  test("the store is given back when a worker ends in its turn", async (t) => {
    let isLent = false;
    const { run } = poolFor(t, {
      lend: async (work) => {
        isLent = true;
        const result = await work();
        isLent = false;
        return result;
      },
    });
    await assert.rejects(run("keep a turn"), isRefused("unavailable", 10505));
    await until("the store is back", () => !isLent);
  });

  test("a store that cannot be lent is an error of the turn, not of the process", async (t) => {
    const { run } = poolFor(t, { lend: () => Promise.reject(new Error("locked")) });
    await assert.rejects(run("keep a turn"), isRefused("unavailable", 10505));
  });

  test("one owner has one long task at a time, and brief ones go ahead of those that wait", async (t) => {
    const { run } = poolFor(t);
    const { number, letGo } = hold();
    const ended: string[] = [];
    const tasks = [
      run("wait", number, { owner: "a" }).then(() => ended.push("a 1")),
      run("answer", 0, { owner: "a" }).then(() => ended.push("a 2")),
      run("answer", 0, { owner: "b" }).then(() => ended.push("b 1")),
      run("answer", 0, { owner: "a", isBrief: true }).then(() => ended.push("a brief")),
    ];
    await until("those that need not wait", () => ended.length === 2);
    assert.deepEqual(ended.toSorted(), ["a brief", "b 1"]);
    letGo();
    await Promise.all(tasks);
    assert.deepEqual(ended.slice(2), ["a 1", "a 2"]);
  });

  test("a thread is left to brief tasks, however many long ones wait", async (t) => {
    const { run } = poolFor(t);
    const { number, letGo } = hold();
    const long = ["a", "b", "c", "d"].map((owner) => run("wait", number, { owner }));
    assert.equal(await run("answer", "brief", { owner: "e", isBrief: true }), "brief");
    letGo();
    await Promise.all(long);
  });

  test("more than a few waiting tasks of one owner are refused, and of more than many of all the newest of the owner with most", async (t) => {
    const { run } = poolFor(t, { limits: { waitingOfOwnerMax: 2, waitingMax: 3 } });
    const { number, letGo } = hold();
    const running = ["a", "b"].map((owner) => run("wait", number, { owner }));
    const waiting = ["a", "a", "b"].map((owner) => run("answer", owner, { owner }));
    await assert.rejects(run("answer", 0, { owner: "a" }), isRefused("too-many-requests", 971));
    const refused = assert.rejects(waiting[1] ?? assert.fail(), isRefused("unavailable", 10505));
    const newcomer = run("answer", "c", { owner: "c" });
    await refused;
    await assert.rejects(run("answer", 0, { owner: "b" }), isRefused("unavailable", 10505));
    letGo();
    await Promise.all(running);
    assert.deepEqual(await Promise.all([waiting[0], waiting[2], newcomer]), ["a", "b", "c"]);
  });

  test("accounts take turns, however many members of one have tasks that wait", async (t) => {
    const { run } = poolFor(t, { limits: { threadsMax: 2, longTasksMax: 1, waitingMax: 5 } });
    const { number, letGo } = hold();
    const running = run("wait", number, { owner: "a0", accountId: "a" });
    const ended: string[] = [];
    const add = (accountId: string, owner: string): Promise<unknown> =>
      run("answer", 0, { owner, accountId }).then(() => ended.push(owner));
    const ofA = ["a1", "a2", "a3", "a4", "a5"].map((owner) => add("a", owner));
    const refused = assert.rejects(ofA[4] ?? assert.fail(), isRefused("unavailable", 10505));
    const ofB = add("b", "b1");
    await refused;
    letGo();
    await Promise.all([running, ...ofA.slice(0, 4), ofB]);
    assert.deepEqual(ended, ["a1", "b1", "a2", "a3", "a4"]);
  });

  test("a task that reports is followed, and cut short by its signal; those after it go on", async (t) => {
    const { run } = poolFor(t);
    const leaving = new AbortController();
    const reported: object[] = [];
    const onProgress = (progress: object): void => {
      reported.push(progress);
      leaving.abort(new Error("the client is gone"));
    };
    const watch = { signal: leaving.signal, onProgress };
    await assert.rejects(run("report", { judged: 20 }, { watch }), /the client is gone/);
    assert.deepEqual(reported, [{ judged: 20 }]);
    assert.equal(await run("answer", 1), 1);
    await assert.rejects(run("answer", 2, { watch }), /the client is gone/);
  });

  test("a task that waits leaves the queue by its signal, and makes room for others of its owner", async (t) => {
    const { run } = poolFor(t, { limits: { waitingOfOwnerMax: 1 } });
    const { number, letGo } = hold();
    const leaving = new AbortController();
    const running = run("wait", number);
    const waiting = run("answer", 1, { watch: { signal: leaving.signal } });
    await assert.rejects(run("answer", 2), isRefused("too-many-requests", 971));
    leaving.abort(new Error("the client is gone"));
    await assert.rejects(waiting, /the client is gone/);
    const next = run("answer", 3);
    letGo();
    await running;
    assert.equal(await next, 3);
  });

  test("a signal that comes after the task is over does not touch the thread's next one", async (t) => {
    const { run } = poolFor(t);
    const leaving = new AbortController();
    const { number, letGo } = hold();
    const thread = await run("thread", undefined, { watch: { signal: leaving.signal } });
    const waiting = run("wait", number);
    leaving.abort();
    letGo();
    await waiting;
    assert.equal(await run("thread"), thread);
  });

  test("the end refuses what waits and cuts short what runs", async (t) => {
    const { pool, run } = poolFor(t);
    const refused = ["hang", "answer"].map((task) =>
      assert.rejects(run(task), isRefused("unavailable", 10505)),
    );
    await pool.close();
    await Promise.all(refused);
    await assert.rejects(run("answer"), isRefused("unavailable", 10505));
  });

  test("a thread serves one task after another, and ends when it has had none for a while", async (t) => {
    const { run } = poolFor(t);
    assert.equal(await run("thread"), await run("thread"));
    const { run: runImpatient } = poolFor(t, { limits: { idleMsMax: 0 } });
    const first = await runImpatient("thread");
    await until("another thread", async () => (await runImpatient("thread")) !== first);
  });
});
