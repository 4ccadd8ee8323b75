import { readCommand, runToEnd, UsageError } from "./command-line.ts";
import { printable } from "./printable.ts";
import { connectTestControls } from "./test-controls-client.ts";

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
    process.stdout.write(entries.map(line).join(""));
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
      if (!shown.has(entry.number)) process.stdout.write(line(entry));
    }
  }
}

function line({ at, method, path, query, operation, status, fault }: ShownEntry): string {
  const url = query === "" ? path : `${path}?${query}`;
  const more = [operation, fault === null ? null : `fault ${fault}`]
    .filter((each) => each !== null)
    .join(", ");
  return `${at}  ${String(status ?? "---").padStart(3)}  ${method.padEnd(6)} ${printable(url)}${more === "" ? "" : `  (${more})`}\n`;
}
