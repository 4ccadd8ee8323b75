import { Badge, Code, Group, Title } from "@mantine/core";
import { useEffect, useState } from "react";

import { call, urlOf, type ResultOf } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { DataTable, EmptyList, type Column } from "../../components/data-table.tsx";
import { Timestamp } from "../../components/timestamp.tsx";

type JournalEntry = ResultOf<"listJournal">["entries"][number];

const shownMax = 100;

/** The requests that the server got, the newest first, as they come. */
export function Requests() {
  const { data, ...query } = useApi(call("listJournal", {}, { limit: shownMax }));
  const { entries: followed, isLive } = useFollowedEntries();
  const byNumber = new Map(
    [...(data?.result.entries ?? []), ...followed].map((entry) => [entry.number, entry]),
  );
  const newest = [...byNumber.values()].toSorted((a, b) => b.number - a.number).slice(0, shownMax);
  return (
    <section aria-label="Requests">
      <Group mb="sm" gap="sm">
        <Title order={2} size="h4">
          Requests
        </Title>
        <Badge variant="light" color={isLive ? "green" : "gray"} tt="none">
          {isLive ? "live" : "not live"}
        </Badge>
      </Group>
      <DataTable
        label="Requests"
        query={{ ...query, data: data && { ...data, result: newest } }}
        rowId={({ number }) => String(number)}
        columns={columns}
        isDense
        empty={<EmptyList title="No requests yet">They appear here as they come.</EmptyList>}
      />
    </section>
  );
}

/** The requests from now on, as they come; ends with the signal, and throws what the connection throws. */
async function* followJournal(signal: AbortSignal): AsyncGenerator<JournalEntry> {
  const { body } = await fetch(urlOf(call("followJournal", {})), {
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

/** What came since the page was opened. */
function useFollowedEntries(): { readonly entries: readonly JournalEntry[]; readonly isLive: boolean } {
  const [entries, setEntries] = useState<readonly JournalEntry[]>([]);
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    const leaving = new AbortController();
    const follow = async (): Promise<void> => {
      setLive(true);
      for await (const entry of followJournal(leaving.signal)) {
        setEntries((before) => [...before.slice(1 - shownMax), entry]);
      }
    };
    follow()
      // The connection broke, or the page was left.
      .catch(() => undefined)
      .finally(() => setLive(false));
    return () => leaving.abort();
  }, []);
  return { entries, isLive };
}

const columns: readonly Column<JournalEntry>[] = [
  { key: "at", header: "Time", width: "8rem", cell: ({ at }) => <Timestamp at={at} /> },
  { key: "status", header: "Status", width: "5rem", cell: ({ status }) => status ?? "none" },
  {
    key: "request",
    header: "Request",
    cell: ({ method, path, query }) => <Code>{`${method} ${path}${query === "" ? "" : `?${query}`}`}</Code>,
  },
  { key: "operation", header: "Operation", width: "12rem", cell: ({ operation }) => operation ?? "–" },
  {
    key: "fault",
    header: "Fault",
    width: "7rem",
    cell: ({ fault }) =>
      fault === null ? "–" : <Badge color="red" variant="light" tt="none">{`fault ${fault}`}</Badge>,
  },
];
