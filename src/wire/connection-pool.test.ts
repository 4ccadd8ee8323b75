import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { ConnectionPool, type PooledConnection } from "./connection-pool.ts";

const connectionsMax = 5;
const perClientMax = 2;

/** The same pool, written plainly: a list of open connections in the order in which they became expendable. */
interface Model {
  readonly id: number;
  readonly client: string | undefined;
  busy: boolean;
}

const step = fc.oneof(
  fc.record({ what: fc.constant("open" as const), client: fc.constantFrom("a", "b", "c", undefined) }),
  fc.record({ what: fc.constantFrom("begin" as const, "end" as const, "close" as const), at: fc.nat(20) }),
  // Ceases to be expendable without an update of the pool.
  fc.record({ what: fc.constant("begin unnoticed" as const), at: fc.nat(20) }),
);

test("the limits always hold, and the connection that is closed has been expendable for longest", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const pool = new ConnectionPool({ connectionsMax, perClientMax });
      const destroyed: number[] = [];
      const made = new Map<number, PooledConnection>();
      let model: Model[] = [];

      /** The one that has to go for another; undefined where none may. */
      const victim = (among: readonly Model[], max: number): Model | "none" | undefined =>
        among.length < max ? "none" : among.find(({ busy }) => !busy);

      for (const [id, one] of steps.entries()) {
        if (one.what === "open") {
          const { client } = one;
          const state: Model = { id, client, busy: false };
          const connection: PooledConnection = {
            client,
            isExpendable: () => !state.busy,
            destroy: () => void destroyed.push(id),
          };
          const expected: number[] = [];
          let fits = true;
          const groups = [
            ...(client === undefined
              ? []
              : [[(other: Model) => other.client === client, perClientMax] as const]),
            [() => true, connectionsMax] as const,
          ];
          destroyed.length = 0;
          const isAdded = pool.add(connection);
          for (const [isIn, max] of groups) {
            const gone: ReturnType<typeof victim> = fits ? victim(model.filter(isIn), max) : "none";
            if (gone === undefined) fits = false;
            else if (gone !== "none") {
              // Of all, the client is one of those with most; of the client, it is the one idle for longest.
              const chosen: Model =
                model.find(({ id: other }) => other === destroyed[expected.length]) ?? gone;
              const own = victim(
                model.filter((other) => other.client === chosen.client),
                0,
              );
              assert.equal(own, max === perClientMax ? gone : chosen);
              expected.push(chosen.id);
              model = model.filter((other) => other !== chosen);
            }
          }
          assert.equal(isAdded, fits);
          assert.deepEqual(destroyed, expected);
          if (!fits) continue;
          made.set(id, connection);
          model.push(state);
        } else {
          const state = model[one.at % Math.max(1, model.length)];
          const connection = state && made.get(state.id);
          if (state === undefined || connection === undefined) continue;
          if (one.what === "close") {
            pool.remove(connection);
            model = model.filter((other) => other !== state);
            continue;
          }
          state.busy = one.what !== "end";
          if (one.what === "begin unnoticed") continue;
          pool.update(connection);
          // The one that becomes expendable now is the last to go.
          model = [...model.filter((other) => other !== state), state];
        }
      }
    }),
  );
});

test("where all connections are open, one of the client with most idle ones makes room", () => {
  const pool = new ConnectionPool({ connectionsMax: 10, perClientMax: 8 });
  const closed: string[] = [];
  const open = (client: string, name: string): boolean =>
    pool.add({ client, isExpendable: () => true, destroy: () => void closed.push(name) });
  open("a", "a0");
  open("a", "a1");
  for (let n = 0; n < 8; n += 1) open("b", `b${n}`);
  assert.deepEqual(closed, []);
  for (let n = 0; n < 3; n += 1) assert.equal(open(`c${n}`, `c${n}`), true);
  assert.deepEqual(closed, ["b0", "b1", "b2"]);
});
