import type { FaultRule, PresetName } from "../../../src/core/test-controls/fault.ts";
import { path, type ApiCall } from "./call.ts";

/** A fault of the server, as the test controls tell it. */
export interface Fault extends Required<Omit<FaultRule, "name">> {
  readonly id: string;
  readonly name: string | null;
  readonly on: boolean;
  readonly matched: number;
  readonly acted: number;
}

/** A request that the server got. */
export interface JournalEntry {
  readonly number: number;
  readonly at: string;
  readonly listener: string;
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: number | null;
  readonly fault: string | null;
  readonly milliseconds: number;
  readonly body: unknown;
  readonly answer: unknown;
}

const base = "/test/v1";

export const faultsPath = "/faults";

export const listFaults = (): ApiCall<readonly Fault[]> => ({ method: "GET", base, path: faultsPath });

/** Adds those of a preset, or rules as somebody wrote them. */
export const addFaults = (body: { readonly preset: PresetName } | object): ApiCall<readonly Fault[]> => ({
  method: "POST",
  base,
  path: faultsPath,
  body,
});

export const switchFault = ({ id, on }: Pick<Fault, "id" | "on">): ApiCall<Fault> => ({
  method: "PATCH",
  base,
  path: path`/faults/${id}`,
  body: { on },
});

export const deleteFault = (id: string): ApiCall<{ readonly id: string }> => ({
  method: "DELETE",
  base,
  path: path`/faults/${id}`,
});

export const listJournal = (limit: number): ApiCall<{ readonly entries: readonly JournalEntry[] }> => ({
  method: "GET",
  base,
  path: "/journal",
  query: { limit },
});

/** The requests from now on, as they come; ends with the signal, and throws what the connection throws. */
export async function* followJournal(signal: AbortSignal): AsyncGenerator<JournalEntry> {
  const { body } = await fetch(`${base}/journal/stream`, {
    credentials: "same-origin",
    headers: { "x-zoneward-session": "1" },
    signal,
  });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
    if (done || value === undefined) return;
    const events = (text + value).split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data !== undefined) yield JSON.parse(data) as JournalEntry;
    }
  }
}
