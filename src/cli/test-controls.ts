import { readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { readCommand, runToEnd, UsageError, unknownCommand, printable } from "./command-line.ts";
import { readConfig } from "../config/config.ts";
import { publicUrlOf, type Config } from "../config/settings.ts";
import { isJsonObject } from "../core/json.ts";
import { snapshotNamePattern } from "../core/test-controls/control-values.ts";

/** A request to a running server, by the second word of the command. */
interface Action {
  readonly takes?: readonly string[];
  /** Whether the arguments may be left out. */
  readonly isOptional?: true;
  /** Resolves with what is printed, one line each. Errors: `UsageError` for an argument. */
  readonly run: (client: TestControlsClient, argument: string, file: string) => Promise<unknown>;
}

/** The command `zoneward NAME ACTION`, which prints the answer of the server by `line`. */
function commandOf(
  name: string,
  actions: Readonly<Record<string, Action>>,
  line: (shown: never) => string,
): (args: readonly string[], env: NodeJS.ProcessEnv) => Promise<number> {
  return ([word = "", ...rest], env) =>
    runToEnd(async () => {
      const action = Object.hasOwn(actions, word) ? actions[word] : undefined;
      if (action === undefined) throw unknownCommand(name, word);
      const { takes = [], isOptional, run } = action;
      const { values, positionals, settings } = readCommand(rest, {
        flags: ["url", "token"],
        positionalsMax: takes.length,
      });
      const [argument = "", file = ""] = positionals;
      if (isOptional === undefined && positionals.filter((one) => one !== "").length < takes.length)
        throw new UsageError(`${name} ${word} needs ${takes.join(" and ")}; see zoneward ${name} --help`);
      const shown = await run(await connectTestControls(values, settings, env), argument, file);
      if (shown !== undefined) process.stdout.write(([shown].flat() as never[]).map(line).join(""));
    });
}

interface ShownFault {
  readonly id: string;
  readonly name: string | null;
  readonly match: object;
  readonly effect: object;
  readonly on: boolean;
  readonly acted: number;
}

const faultPath = (id: string): string => {
  if (!/^\d{1,10}$/.test(id)) throw new UsageError("ID: must be a number, as zoneward fault list shows it");
  return `/faults/${id}`;
};

/** `zoneward fault`: makes requests to a running server fail. */
export const fault = commandOf(
  "fault",
  {
    list: { run: (client) => client.request("GET", "/faults") },
    add: {
      takes: ["RULES"],
      run: async (client, text) => client.request("POST", "/faults", readRules(text)),
    },
    preset: { takes: ["NAME"], run: (client, name) => client.request("POST", "/faults", { preset: name }) },
    on: { takes: ["ID"], run: async (client, id) => client.request("PATCH", faultPath(id), { on: true }) },
    off: { takes: ["ID"], run: async (client, id) => client.request("PATCH", faultPath(id), { on: false }) },
    remove: {
      takes: ["ID"],
      run: async (client, id) => void (await client.request("DELETE", faultPath(id))),
    },
    clear: { run: async (client) => void (await client.request("DELETE", "/faults")) },
  },
  ({ id, name, match, effect, on, acted }: ShownFault) => {
    const rule = `${JSON.stringify(match)} ${JSON.stringify(effect)}`;
    const text = printable(`${name ?? ""} ${rule}`.trim());
    return `${id.padStart(4)}  ${on ? "on " : "off"}  acted ${acted}  ${text}\n`;
  },
);

function readRules(text: string): unknown {
  try {
    return JSON.parse(/^\s*[[{]/.test(text) ? text : readFileSync(text, "utf8"));
  } catch (error) {
    throw new UsageError(`RULES: cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

interface ShownSnapshot {
  readonly name: string;
  readonly saved_on: string;
  readonly bytes: number;
}

const snapshotPath = (name: string): string => {
  if (!snapshotNamePattern.test(name)) {
    throw new UsageError(
      "NAME: must be 1 to 64 letters, digits, `_`, `.` or `-`, of which the first is a letter or a digit",
    );
  }
  return `/snapshots/${encodeURIComponent(name)}`;
};

/** `zoneward snapshot`: saves, restores and lists states of a running server. */
export const snapshot = commandOf(
  "snapshot",
  {
    list: { run: (client) => client.request("GET", "/snapshots") },
    save: { takes: ["NAME"], run: async (client, name) => client.request("PUT", snapshotPath(name)) },
    restore: {
      takes: ["NAME"],
      run: async (client, name) => client.request("POST", `${snapshotPath(name)}/restore`),
    },
    delete: {
      takes: ["NAME"],
      run: async (client, name) => void (await client.request("DELETE", snapshotPath(name))),
    },
    export: {
      takes: ["NAME", "FILE"],
      run: async (client, name, file) => {
        const answer = await client.open(`${snapshotPath(name)}/file`);
        await writeFile(file, new Uint8Array(await answer.arrayBuffer()), { mode: 0o600 });
      },
    },
    import: {
      takes: ["NAME", "FILE"],
      run: async (client, name, file) => {
        const path = `${snapshotPath(name)}/file`;
        const form = new FormData();
        form.append("file", new Blob([new Uint8Array(await readFile(file))]), "snapshot");
        return client.request("PUT", path, form);
      },
    },
  },
  ({ name, saved_on, bytes }: ShownSnapshot) => `${saved_on}  ${String(bytes).padStart(10)}  ${name}\n`,
);

const setClock = (client: TestControlsClient, body: object) => client.request("PATCH", "/clock", body);

/** `zoneward clock`: the time of a running server. */
export const clock = commandOf(
  "clock",
  {
    show: { run: (client) => client.request("GET", "/clock") },
    freeze: {
      takes: ["TIME"],
      isOptional: true,
      run: (client, time) => setClock(client, { frozen: true, ...(time !== "" && { now: time }) }),
    },
    resume: { run: (client) => setClock(client, { frozen: false }) },
    set: { takes: ["TIME"], run: (client, time) => setClock(client, { now: time === "now" ? null : time }) },
    advance: {
      takes: ["DURATION"],
      run: async (client, text) => client.request("POST", "/clock/advance", readDuration(text)),
    },
  },
  ({ now, frozen }: { readonly now: string; readonly frozen: boolean }) =>
    `${now}${frozen ? "  frozen" : ""}\n`,
);

const units = { d: "days", h: "hours", m: "minutes", s: "seconds", ms: "milliseconds" } as const;

function readDuration(text: string): object {
  const parts = [...text.matchAll(/(\d{1,9}(?:\.\d{1,9})?)(ms|[dhms])/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text) {
    throw new UsageError(`DURATION: \`${text}\` is none; write 90d, 1h30m or 500ms`);
  }
  return Object.fromEntries(
    parts.map(([, amount, unit]) => [units[unit as keyof typeof units], Number(amount)]),
  );
}

interface ShownEntry {
  readonly number: number;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly operation: string | null;
  readonly status: number | null;
  readonly fault: string | null;
}

/** `zoneward journal`: prints the requests that a running server got. */
export async function journal(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return runToEnd(async () => {
    const { values, switched, settings } = readCommand(args, {
      flags: ["url", "token", "limit"],
      switches: ["follow", "clear"],
    });
    const { limit = "20" } = values;
    if (!/^[1-9]\d{0,4}$/.test(limit)) throw new UsageError("--limit: must be an integer from 1 to 10000");
    const client = await connectTestControls(values, settings, env);
    if (switched.clear) {
      await client.request("DELETE", "/journal");
      return;
    }
    // The stream is opened first, so that no entry between is lost.
    const stream = switched.follow ? await client.open("/journal/stream") : undefined;
    const { entries } = (await client.request("GET", `/journal?limit=${limit}`)) as {
      readonly entries: readonly ShownEntry[];
    };
    process.stdout.write(entries.map(entryLine).join(""));
    if (stream !== undefined) await follow(stream, new Set(entries.map(({ number }) => number)));
  });
}

async function follow({ body }: Response, shown: ReadonlySet<number>): Promise<void> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const part of body ?? []) {
    text += decoder.decode(part as Uint8Array, { stream: true });
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data === undefined) continue;
      const entry = JSON.parse(data) as ShownEntry;
      if (!shown.has(entry.number)) process.stdout.write(entryLine(entry));
    }
  }
}

function entryLine({ at, method, path, query, operation, status, fault: acted }: ShownEntry): string {
  const url = query === "" ? path : `${path}?${query}`;
  const more = [operation, acted === null ? null : `fault ${acted}`]
    .filter((each) => each !== null)
    .join(", ");
  return `${at}  ${String(status ?? "---").padStart(3)}  ${method.padEnd(6)} ${printable(url)}${more === "" ? "" : `  (${more})`}\n`;
}

/** `zoneward reset`: puts back the state with which a running server started. */
export async function reset(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return runToEnd(async () => {
    const { values, settings } = readCommand(args, { flags: ["url", "token"] });
    const client = await connectTestControls(values, settings, env);
    await client.request("POST", "/reset");
  });
}

interface TestControlsClient {
  /**
   * Sends a request to a path below `/test/v1`, with a form or JSON as its body, and returns the result.
   * Throws with every error that the server answers.
   */
  readonly request: (method: string, path: string, body?: unknown) => Promise<unknown>;
  /** Returns the answer itself, for one that does not end or is no JSON. */
  readonly open: (path: string) => Promise<Response>;
}

/** Finds the server, and credentials for it, in flags and settings. */
async function connectTestControls(
  { url, token }: { readonly url?: string; readonly token?: string },
  settings: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<TestControlsClient> {
  const { config } = await readConfig(settings, env);
  const base = url === undefined ? publicUrlOf(config) : new URL(url);
  const credentials = credentialsOf(config, token);
  const send = async (method: string, path: string, body?: unknown): Promise<Response> => {
    const isJson = body !== undefined && !(body instanceof FormData);
    const answer = await fetch(new URL(`/test/v1${path}`, base), {
      method,
      headers: { ...credentials, ...(isJson && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
    }).catch((error: unknown) => {
      throw new Error(`no server answers at ${base.origin}`, { cause: error });
    });
    if (!answer.headers.has("zoneward-test-controls")) {
      throw new Error(`the server at ${base.origin} has no test controls; start it with --test-controls`);
    }
    if (!answer.ok) throw new Error(describeErrors(await answer.text(), answer.status));
    return answer;
  };
  return {
    request: async (method, path, body) =>
      ((await (await send(method, path, body)).json()) as { readonly result: unknown }).result,
    open: async (path) => send("GET", path),
  };
}

function credentialsOf(config: Config, given: string | undefined): Readonly<Record<string, string>> {
  const token = given ?? config.test_controls_token ?? config.owner_token;
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  if (config.owner_key === undefined) {
    throw new Error(
      "no credentials; set ZONEWARD_TEST_CONTROLS_TOKEN or ZONEWARD_OWNER_TOKEN, or give --token",
    );
  }
  return { "x-auth-email": config.owner_email, "x-auth-key": config.owner_key };
}

function describeErrors(text: string, status: number): string {
  const errors = errorsOf(text);
  return errors.length === 0 ? `the server answered ${status}` : errors.map(printable).join("\n  ");
}

function errorsOf(text: string): readonly string[] {
  try {
    const body: unknown = JSON.parse(text);
    const errors = isJsonObject(body) && Array.isArray(body["errors"]) ? (body["errors"] as unknown[]) : [];
    return errors.flatMap((error) => (isJsonObject(error) ? String(error["message"]) : []));
  } catch {
    return [];
  }
}
