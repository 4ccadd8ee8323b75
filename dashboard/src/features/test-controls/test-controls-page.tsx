import { Stack, Badge, Code, Group, Title, Button, Menu, Switch, Text, Textarea } from "@mantine/core";
import { useEffect, useState } from "react";

import { useDisclosure } from "@mantine/hooks";

import { call, urlOf, type ResultOf, type BodyOf } from "../../api/call.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { useApi, useApiMutation } from "../../api/query.ts";
import { DataTable, EmptyList, type Column } from "../../components/data-table.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { presetNames, type PresetName } from "../../../../src/core/test-controls/fault.ts";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { RemoveButton } from "../../components/icon-button.tsx";
import { Draft, FormModal } from "../../components/drafts.tsx";
import { Form, FormButtons } from "../../components/form.tsx";

/** Makes requests fail, and shows those that come. */
export function TestControlsPage() {
  return (
    <>
      <PageHeader
        title="Faults and requests"
        description="For tests of clients: rules that make this server fail, and what it was asked."
        calls={[
          { title: "List the faults", call: call("listFaults", {}) },
          { title: "Add the faults of a preset", call: call("createFaults", {}, { preset: "flaky" }) },
          { title: "List the newest requests", call: call("listJournal", {}, { limit: 100 }) },
        ]}
      />
      <Stack gap="lg">
        <Faults />
        <Requests />
      </Stack>
    </>
  );
}

type JournalEntry = ResultOf<"listJournal">["entries"][number];

const shownMax = 100;

/** The requests that the server got, the newest first, as they come. */
function Requests() {
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
        columns={requestColumns}
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

/** The requests since the page was opened. */
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

const requestColumns: readonly Column<JournalEntry>[] = [
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

type Fault = ResultOf<"listFaults">[number];

const refreshMs = 2_000;

/** The rules that make requests fail, to be added, switched and removed. */
function Faults() {
  const faults = useApi(call("listFaults", {}), { refetchInterval: refreshMs });
  const [isAdding, adding] = useDisclosure();
  const add = useApiMutation((preset: PresetName) => call("createFaults", {}, { preset }));
  const toggle = useApiMutation(({ id, on }: Pick<Fault, "id" | "on">) =>
    call("switchFault", { fault_id: id }, { on }),
  );
  const remove = useApiMutation((id: string) => call("deleteFault", { fault_id: id }));
  return (
    <section aria-label="Faults">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          Faults
        </Title>
        <Group gap="xs">
          <Menu position="bottom-end">
            <Menu.Target>
              <Button variant="default">Add a preset</Button>
            </Menu.Target>
            <Menu.Dropdown>
              {presetNames.map((preset) => (
                <Menu.Item key={preset} onClick={() => add.mutate(preset)}>
                  {preset}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
          <Button onClick={adding.open}>Add a fault</Button>
        </Group>
      </Group>
      <ErrorAlert error={add.error ?? toggle.error ?? remove.error} />
      <DataTable
        label="Faults"
        query={faults}
        rowId={({ id }) => id}
        columns={faultColumns(toggle.mutate, remove.mutate)}
        empty={<EmptyList title="No faults">Every request is answered as it should be.</EmptyList>}
      />
      {isAdding && <AddFault onClose={adding.close} />}
    </section>
  );
}

function faultColumns(
  onSwitch: (change: Pick<Fault, "id" | "on">) => void,
  onRemove: (id: string) => void,
): readonly Column<Fault>[] {
  return [
    {
      key: "on",
      header: "On",
      width: "4rem",
      cell: ({ id, on }) => (
        <Switch
          aria-label={`Fault ${id} acts`}
          checked={on}
          onChange={(event) => onSwitch({ id, on: event.currentTarget.checked })}
        />
      ),
    },
    { key: "name", header: "Fault", cell: ({ id, name }) => <Text size="sm">{name ?? `Fault ${id}`}</Text> },
    { key: "match", header: "Requests", cell: ({ match }) => <Code>{JSON.stringify(match)}</Code> },
    { key: "effect", header: "Effect", cell: ({ effect }) => <Code>{JSON.stringify(effect)}</Code> },
    { key: "acted", header: "Acted", cell: ({ acted, matched }) => `${acted} of ${matched}` },
    {
      key: "remove",
      header: "Remove",
      isActions: true,
      cell: ({ id }) => <RemoveButton label={`Remove fault ${id}`} onClick={() => onRemove(id)} />,
    },
  ];
}

const example = JSON.stringify(
  { match: { operation: "createZone", next: 1 }, effect: { type: "error", status: 503 } },
  undefined,
  2,
);

/** Asks for a rule, or a list of rules, as JSON. */
function AddFault({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState(example);
  const { mutate, isPending, error } = useApiMutation((added: NewFaults) => call("createFaults", {}, added), {
    onSuccess: onClose,
  });
  const rules = parse(text);
  return (
    <FormModal opened onClose={onClose} title="Add a fault">
      <Draft isChanged={text !== example} />
      <Form
        onSend={() => {
          if (rules !== undefined) mutate(rules);
        }}
      >
        <Textarea
          label="Rule"
          description="JSON: a rule or a list of them"
          error={rules === undefined ? "This is not JSON" : undefined}
          autosize
          minRows={8}
          ff="monospace"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <ErrorAlert title="Nothing was added" error={error} />
        <FormButtons action="Add" pending={isPending} disabled={rules === undefined} onCancel={onClose} />
      </Form>
    </FormModal>
  );
}

type NewFaults = BodyOf<"createFaults">;

function parse(text: string): NewFaults | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as NewFaults) : undefined;
  } catch {
    return undefined;
  }
}
