import { useAccountOfPage } from "../../components/account-of-page.ts";
import { ChevronDownIcon, ChevronUpIcon } from "@heroicons/react/24/outline";
import { Group, Text, TextInput, Code, SimpleGrid, Stack, Table } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";

import type { AuditLog, ListAuditLogsQuery } from "../../../../src/resources/audit-logs/schema.ts";
import { type ApiCall, call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { DataTable, EmptyList, type Column } from "../../components/data-table.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { SearchInput } from "../../components/search-input.tsx";
import { useSentText } from "../../components/sent-text.ts";
import { Timestamp, dateAndTime } from "../../components/timestamp.tsx";
import { auditSentence, changedFields } from "./audit-sentence.ts";
import { readAuditLogSearch, type AuditLogSearch } from "./search.ts";
import { Copied } from "../../components/copy-button.tsx";
import { Facts } from "../../components/facts.tsx";

const dayMs = 86_400_000;

/** The beginning of the day after a date, so that the date itself is included. */
function dayAfter(date: string): string | undefined {
  const at = Date.parse(date);
  return Number.isNaN(at) ? undefined : new Date(at + dayMs).toISOString().slice(0, 10);
}

export function AuditLogPage() {
  const { accountId, account } = useAccountOfPage();
  return (
    <AuditLogOf
      of={account?.name}
      description="Every change in the account: who made it, and from where."
      callOf={(query) => call("listAccountAuditLogs", { account_id: accountId }, query)}
    />
  );
}

type AuditLogQuery = Pick<
  ListAuditLogsQuery,
  "action.type" | "actor.email" | "zone.name" | "since" | "before"
> & {
  readonly page: number;
  readonly per_page: number;
};

const listOwnChanges = (query: AuditLogQuery) => call("listUserAuditLogs", {}, query);

export function UserAuditLogPage() {
  return (
    <AuditLogOf
      of="My profile"
      description="Every change to your user: sign-ins, passwords, tokens and the profile."
      callOf={listOwnChanges}
    />
  );
}

interface AuditLogOfProps {
  readonly of: string | undefined;
  readonly description: string;
  readonly callOf: (query: AuditLogQuery) => ApiCall<AuditLog[]>;
}

function AuditLogOf({ of, description, callOf }: AuditLogOfProps) {
  const search = readAuditLogSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const [openedId, setOpenedId] = useState<string>();
  const show = (change: AuditLogSearch): void =>
    void navigate({ to: ".", search: { ...search, ...change }, replace: true });
  const before = search.until === undefined ? undefined : dayAfter(search.until);
  const request = callOf({
    page: search.page ?? 1,
    per_page: search.per_page ?? 50,
    ...(search.action !== undefined && { "action.type": search.action }),
    ...(search.actor !== undefined && { "actor.email": search.actor }),
    ...(search.zone !== undefined && { "zone.name": search.zone }),
    ...(search.since !== undefined && { since: search.since }),
    ...(before !== undefined && { before }),
  });
  const entries = useApi(request);
  const columns = useMemo(
    () => logColumns(openedId, (id) => setOpenedId((opened) => (opened === id ? undefined : id))),
    [openedId, setOpenedId],
  );
  const filter = (name: "action" | "actor" | "zone", label: string) => (
    <SearchInput
      key={name}
      label={label}
      value={search[name] ?? ""}
      onSearch={(text) => show({ [name]: text || undefined, page: undefined })}
    />
  );
  return (
    <>
      <PageHeader
        title="Audit log"
        of={of}
        description={description}
        calls={[{ title: "List the entries", call: request }]}
      />
      <Group mb="md" gap="sm" align="flex-end">
        {filter("actor", "E-mail of the user")}
        {filter("action", "Action")}
        {filter("zone", "Zone")}
        <Group gap="sm">
          {(["since", "until"] as const).map((name) => (
            <DateInput
              key={name}
              label={name === "since" ? "From" : "Until"}
              value={search[name] ?? ""}
              onDate={(date) => show({ [name]: date || undefined, page: undefined })}
            />
          ))}
        </Group>
      </Group>
      <DataTable
        label="Audit log"
        query={entries}
        columns={columns}
        rowId={({ id }) => id}
        renderDetail={(entry) => entry.id === openedId && <AuditLogEntry entry={entry} />}
        onPage={show}
        empty={<EmptyList title="No entry matches">The log only has successful changes.</EmptyList>}
      />
    </>
  );
}

interface DateInputProps {
  readonly label: string;
  /** `2026-01-31`; empty for none. */
  readonly value: string;
  readonly onDate: (date: string) => void;
}

/** A date, which counts a moment after its last key: a year is typed digit by digit. */
function DateInput({ label, value, onDate }: DateInputProps) {
  const { text, setText, send } = useSentText(value, onDate);
  const sendLater = useDebouncedCallback(send, 500);
  return (
    <TextInput
      type="date"
      aria-label={label}
      leftSection={
        <Text size="sm" c="dimmed" component="span">
          {label}
        </Text>
      }
      leftSectionWidth={56}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        sendLater(event.currentTarget.value);
      }}
    />
  );
}

function logColumns(
  openedId: string | undefined,
  onToggle: (id: string) => void,
): readonly Column<AuditLog>[] {
  return [
    { key: "when", header: "When", width: "9rem", cell: ({ when }) => <Timestamp at={when} /> },
    {
      key: "change",
      header: "Change",
      cell: (entry) => (
        <>
          <Text size="sm" fw={500}>
            {auditSentence(entry)}
          </Text>
          <Text size="xs" c="dimmed">
            {typeof entry.metadata["zone_name"] === "string" && entry.metadata["zone_name"]}
          </Text>
        </>
      ),
    },
    {
      key: "actor",
      header: "By",
      width: "14rem",
      cell: ({ actor, interface: by }) => (
        <>
          <Text size="sm">{actor.email ?? (actor.type === "system" ? "Zoneward itself" : actor.type)}</Text>
          <Text size="xs" c="dimmed">
            {[by, actor.ip].filter(Boolean).join(", ")}
          </Text>
        </>
      ),
    },
    {
      key: "detail",
      header: "Detail",
      width: "3.5rem",
      isActions: true,
      cell: ({ id, ...entry }) => (
        <IconButton
          Icon={id === openedId ? ChevronUpIcon : ChevronDownIcon}
          aria-expanded={id === openedId}
          label={`Details of: ${auditSentence(entry)}`}
          onClick={() => onToggle(id)}
        />
      ),
    },
  ];
}

function AuditLogEntry({ entry }: { readonly entry: AuditLog }) {
  const { id, action, resource, metadata, oldValueJson, newValueJson, when } = entry;
  const more = Object.entries(metadata).map(([name, value]) => [
    name.replaceAll("_", " "),
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  return (
    <Stack>
      <Facts
        facts={{
          Time: dateAndTime(when),
          Action: <Code>{action.type}</Code>,
          "Entry id": <Copied value={id} what="the id of the entry" />,
          "Resource id": <Copied value={resource.id} what="the id of what was changed" />,
          ...(Object.fromEntries(more) as Record<string, string>),
        }}
      />
      <Changes changes={changedFields(oldValueJson, newValueJson)} />
      <details>
        <Text component="summary" size="sm" mb="xs">
          All fields, before and after
        </Text>
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Value title="Before" value={oldValueJson} />
          <Value title="After" value={newValueJson} />
        </SimpleGrid>
      </details>
    </Stack>
  );
}

function Changes({ changes }: { readonly changes: ReturnType<typeof changedFields> }) {
  if (changes.length === 0) return undefined;
  return (
    <Table aria-label="Changed fields" verticalSpacing={4} withTableBorder bg="var(--mantine-color-body)">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w="25%">Field</Table.Th>
          <Table.Th>Before</Table.Th>
          <Table.Th>After</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {changes.map(({ field, before, after }) => (
          <Table.Tr key={field}>
            <Table.Td>{field}</Table.Td>
            <Table.Td className="monospace">{before !== undefined && <del>{before}</del>}</Table.Td>
            <Table.Td className="monospace">{after !== undefined && <ins>{after}</ins>}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Value({ title, value }: { readonly title: string; readonly value: unknown }) {
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {title}
      </Text>
      {value === null || value === undefined ? (
        <Text size="sm" c="dimmed">
          None
        </Text>
      ) : (
        <Code block tabIndex={0} role="region" aria-label={title} mah={320}>
          {JSON.stringify(value, undefined, 2)}
        </Code>
      )}
    </div>
  );
}
