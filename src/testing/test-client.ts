import type { RunningServer } from "./run-server.ts";
import type {
  Clock,
  Duration,
  Expectation,
  FaultPreset,
  FaultRule,
  Faults,
  Journal,
  JournalEntry,
  Match,
  NewZone,
  Snapshot,
  Zone,
  Zoneward,
} from "./zoneward-testing.d.ts";

interface Envelope {
  readonly result: unknown;
  readonly errors: ZonewardError["errors"];
}

/** An answer that is no success. */
export class ZonewardError extends Error {
  readonly status: number;
  readonly errors: readonly { readonly code: number; readonly message: string }[];

  constructor(call: string, status: number, errors: ZonewardError["errors"]) {
    const said = errors.map(({ code, message }) => `${message} (${code})`).join("; ");
    super(`${call} was answered by ${status}${said === "" ? "" : `: ${said}`}`);
    this.name = "ZonewardError";
    this.status = status;
    this.errors = errors;
  }
}

/** Sends a request with the owner's token. Throws `ZonewardError`. */
type Send = (method: string, path: string, body?: unknown) => Promise<Response>;

/** A client of a server for its tests. It uses HTTP only, wherever the server runs. */
export class TestClient implements Zoneward {
  readonly baseUrl: string;
  readonly gatewayUrl: string;
  readonly dnsAddresses: readonly string[];
  readonly token: string;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly #server: RunningServer;
  readonly #send: Send;
  /** A name that distinguishes its snapshots from those of others. */
  readonly #name: string;
  #accountId: string;
  #snapshots = 0;
  #zones = 0;
  #stopping: Promise<void> | undefined;

  constructor(server: RunningServer, token: string, name: string) {
    this.#server = server;
    this.baseUrl = server.baseUrl;
    this.gatewayUrl = server.gatewayUrl;
    this.dnsAddresses = server.dnsAddresses;
    this.token = token;
    this.#name = name;
    this.#accountId = server.accountId;
    this.#send = sender(server.baseUrl, token);
    this.clock = new RemoteClock(this.#control);
    this.journal = new RemoteJournal(this.#control);
  }

  get accountId(): string {
    return this.#accountId;
  }

  async reset(): Promise<void> {
    await this.#control("POST", "/reset");
    this.#accountId = this.#server.accountId;
    this.#zones = 0;
  }

  async snapshot(): Promise<Snapshot> {
    const name = this.#nextSnapshot();
    await this.#control("PUT", `/snapshots/${name}`);
    return this.#snapshotOf(name);
  }

  async readSnapshot(file: Uint8Array): Promise<Snapshot> {
    const name = this.#nextSnapshot();
    const form = new FormData();
    form.append("file", new Blob([new Uint8Array(file)]), "snapshot");
    await this.#send("PUT", `/test/v1/snapshots/${name}/file`, form);
    return this.#snapshotOf(name);
  }

  async fault(fault: FaultRule | FaultPreset): Promise<Faults> {
    const body = typeof fault === "string" ? { preset: fault } : fault;
    const added = await this.#control<readonly { readonly id: string }[]>("POST", "/faults", body);
    const ids = added.map(({ id }) => id);
    return {
      ids,
      remove: async () => {
        for (const id of ids) await this.#control("DELETE", `/faults/${id}`);
      },
    };
  }

  async zone({ name, records = [], active = false }: NewZone = {}): Promise<Zone> {
    this.#zones += 1;
    const body = { name: name ?? `zone-${this.#zones}.example`, account: { id: this.accountId } };
    const { id } = await this.call<Zone>("POST", "/zones", body);
    if (records.length > 0) await this.call("POST", `/zones/${id}/dns_records/batch`, { posts: records });
    if (active) await this.call("PUT", `/zones/${id}/activation_check`);
    return this.call("GET", `/zones/${id}`);
  }

  async call<Result>(method: string, path: string, body?: unknown): Promise<Result> {
    const { pathname } = new URL(this.baseUrl);
    return resultOf(await this.#send(method, pathname + path, body)) as Promise<Result>;
  }

  async stop(): Promise<void> {
    await (this.#stopping ??= this.#server.stop());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  readonly #control = async <Result>(method: string, path: string, body?: unknown): Promise<Result> =>
    resultOf(await this.#send(method, `/test/v1${path}`, body)) as Promise<Result>;

  #nextSnapshot(): string {
    this.#snapshots += 1;
    return `${this.#name}-${this.#snapshots}`;
  }

  #snapshotOf(name: string): Snapshot {
    return {
      name,
      restore: async () => {
        await this.#control("POST", `/snapshots/${name}/restore`);
        const [account] = await this.call<readonly { readonly id: string }[]>("GET", "/accounts");
        this.#accountId = account?.id ?? this.#accountId;
      },
      delete: async () => void (await this.#control("DELETE", `/snapshots/${name}`)),
      file: async () => {
        const answer = await this.#send("GET", `/test/v1/snapshots/${name}/file`);
        return new Uint8Array(await answer.arrayBuffer());
      },
    };
  }
}

type Control = <Result>(method: string, path: string, body?: unknown) => Promise<Result>;

class RemoteClock implements Clock {
  readonly #control: Control;

  constructor(control: Control) {
    this.#control = control;
  }

  now(): Promise<Date> {
    return this.#ask("GET", "/clock");
  }

  freeze(at?: Date | string): Promise<Date> {
    return this.#ask("PATCH", "/clock", { frozen: true, ...(at !== undefined && { now: toTime(at) }) });
  }

  resume(): Promise<Date> {
    return this.#ask("PATCH", "/clock", { frozen: false });
  }

  set(time: Date | string): Promise<Date> {
    return this.#ask("PATCH", "/clock", { now: toTime(time) });
  }

  advance(by: Duration): Promise<Date> {
    return this.#ask("POST", "/clock/advance", by);
  }

  async #ask(method: string, path: string, body?: object): Promise<Date> {
    const { now } = await this.#control<{ readonly now: string }>(method, path, body);
    return new Date(now);
  }
}

interface Verdict {
  readonly verified: boolean;
  readonly out_of_order: number | null;
  readonly expectations: readonly {
    readonly fulfilled: boolean;
    readonly count: number;
    readonly near_misses: readonly {
      readonly entry: JournalEntry;
      readonly misses: readonly {
        readonly part: string;
        readonly expected: unknown;
        readonly actual: unknown;
      }[];
    }[];
  }[];
}

class RemoteJournal implements Journal {
  readonly #control: Control;

  constructor(control: Control) {
    this.#control = control;
  }

  async entries(match: Match = {}, limit = 10_000): Promise<readonly JournalEntry[]> {
    const found = await this.#control<{ readonly entries: readonly JournalEntry[] }>(
      "POST",
      "/journal/search",
      { match, limit },
    );
    return found.entries;
  }

  verify(...expected: readonly Expectation[]): Promise<void> {
    return this.#verify(expected, false);
  }

  verifyInOrder(...expected: readonly Expectation[]): Promise<void> {
    return this.#verify(expected, true);
  }

  async clear(): Promise<void> {
    await this.#control("DELETE", "/journal");
  }

  async #verify(expect: readonly Expectation[], inOrder: boolean): Promise<void> {
    const verdict = await this.#control<Verdict>("POST", "/journal/verify", { expect, in_order: inOrder });
    if (!verdict.verified) throw new Error(explain(expect, verdict));
  }
}

/** Names the expectations that did not hold, and the requests that came closest. */
function explain(expected: readonly Expectation[], { expectations, out_of_order }: Verdict): string {
  const lines = expectations.flatMap(({ fulfilled, count, near_misses }, index) => {
    if (fulfilled) return [];
    const misses = near_misses.map(({ entry, misses: parts }) => {
      const said = parts.map(({ part, actual }) => `${part} is ${JSON.stringify(actual)}`);
      return `  near miss: ${entry.method} ${entry.path}: ${said.join(", ")}`;
    });
    return [`expected ${JSON.stringify(expected[index])}, found ${count}`, ...misses];
  });
  if (out_of_order !== null) {
    lines.push(
      `out of order: ${JSON.stringify(expected[out_of_order])} came before those that it should follow`,
    );
  }
  return lines.join("\n");
}

function sender(baseUrl: string, token: string): Send {
  return async (method, path, body) => {
    const isForm = body instanceof FormData;
    const response = await fetch(new URL(path, baseUrl), {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && !isForm && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    if (response.ok) return response;
    const { errors = [] } = ((await response.json().catch(() => ({}))) ?? {}) as Partial<Envelope>;
    throw new ZonewardError(`${method} ${path}`, response.status, errors);
  };
}

async function resultOf(response: Response): Promise<unknown> {
  const { result } = (await response.json()) as Envelope;
  return result;
}

function toTime(time: Date | string): string {
  return new Date(time).toISOString();
}
