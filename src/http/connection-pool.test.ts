import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { ConnectionPool, type PooledConnection } from "./connection-pool.ts";

const connectionsMax = 5;
const perClientMax = 2;

/** What the pool does, by the letter: a list of open connections in the order in which they became expendable. */
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
          for (const [isIn, max] of groups) {
            const gone = fits ? victim(model.filter(isIn), max) : "none";
            if (gone === undefined) fits = false;
            else if (gone !== "none") {
              expected.push(gone.id);
              model = model.filter((other) => other !== gone);
            }
          }
          destroyed.length = 0;
          assert.equal(pool.add(connection), fits);
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
          // What becomes expendable now is the last to go.
          model = [...model.filter((other) => other !== state), state];
        }
      }
    }),
  );
});
