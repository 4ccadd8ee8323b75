import assert from "node:assert/strict";

import { sendRequest, type TestAnswer } from "../support/harness.ts";
import { Ledger, type Outcome } from "./ledger.ts";

const recordsMax = 24;

/** Content of records by their names. */
type Records = ReadonlyMap<string, string>;

interface Change {
  readonly next: Records;
  readonly method: "POST" | "PATCH" | "DELETE";
  /** Below `dns_records`. */
  readonly path: string;
  readonly body?: object;
}

/**
 * Writers that change records of one zone side by side, each those with names of its own: they make one, change one,
 * delete one, or make two and delete one in a batch. They know what has to be found of that.
 */
export class RecordWriters {
  readonly counts: Record<Outcome, number> = { ok: 0, failed: 0, unknown: 0 };
  readonly #path: string;
  readonly #zone: string;
  readonly #ledgers: readonly Ledger<Records>[];
  readonly #ids = new Map<string, string>();
  #changes = 0;

  constructor(zoneId: string, writers: number, zone = "example.com") {
    this.#zone = zone;
    this.#path = `/zones/${zoneId}/dns_records`;
    this.#ledgers = Array.from({ length: writers }, () => new Ledger<Records>(new Map()));
  }

  /** Each writes until it does not know what became of its change, or has made as many as are asked for. */
  async write(baseUrl: string, changesMax = Number.POSITIVE_INFINITY): Promise<void> {
    await Promise.all(
      this.#ledgers.map(async (ledger, writer) => {
        let outcome: Outcome = "ok";
        for (let changes = 0; changes < changesMax && outcome !== "unknown"; changes += 1) {
          const { next, method, path, body } = this.#choose(writer, ledger.state);
          outcome = await ledger.change(next, async () => {
            const answer = await sendRequest(baseUrl, method, this.#path + path, { body });
            this.#note(answer);
            return answer;
          });
          this.counts[outcome] += 1;
        }
      }),
    );
  }

  /** Shows that the zone holds what every writer has to find, and nothing else. */
  async settle(baseUrl: string): Promise<void> {
    const { body, status, text } = await sendRequest(baseUrl, "GET", `${this.#path}?per_page=5000`);
    assert.equal(status, 200, text);
    const found = this.#ledgers.map(() => new Map<string, string>());
    for (const { id, name, content } of body.result as RecordSeen[]) {
      this.#ids.set(name, id);
      found[Number(/^w(\d+)-/.exec(name)?.[1])]?.set(name, content);
    }
    this.#ledgers.forEach((ledger, writer) => ledger.settle(found[writer] ?? new Map()));
    const known = this.#ledgers.reduce((sum, { state }) => sum + state.size, 0);
    assert.equal(body.result_info?.total_count, known);
  }

  #choose(writer: number, state: Records): Change {
    const change = (this.#changes += 1);
    const name = (part: number): string => `w${writer}-${change}-${part}.${this.#zone}`;
    const content = `192.0.2.${change % 256}`;
    const record = (part: number) => ({ type: "A", name: name(part), content, ttl: 1 });
    const [oldest] = state.keys();
    if (oldest === undefined || (change % 4 === 0 && state.size < recordsMax)) {
      return { next: new Map([...state, [name(0), content]]), method: "POST", path: "", body: record(0) };
    }
    const id = this.#ids.get(oldest) ?? "";
    if (change % 4 === 1) {
      return {
        next: new Map([...state, [oldest, content]]),
        method: "PATCH",
        path: `/${id}`,
        body: { content },
      };
    }
    const others = [...state].filter(([one]) => one !== oldest);
    if (change % 4 === 2 || state.size >= recordsMax) {
      return { next: new Map(others), method: "DELETE", path: `/${id}` };
    }
    return {
      next: new Map([...others, [name(0), content], [name(1), content]]),
      method: "POST",
      path: "/batch",
      body: { deletes: [{ id }], posts: [record(0), record(1)] },
    };
  }

  /** Ids of records are known from the answers that made them. */
  #note({ body: { result } }: TestAnswer): void {
    for (const { id, name } of (result?.posts ?? [result ?? {}]) as RecordSeen[]) {
      if (name !== undefined) this.#ids.set(name, id);
    }
  }
}

interface RecordSeen {
  readonly id: string;
  readonly name: string;
  readonly content: string;
}
