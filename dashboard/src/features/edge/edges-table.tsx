import { Stack, Text } from "@mantine/core";

import type { RunningEdge } from "../../../../src/resources/edges/schema.ts";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { DataTable, EmptyList, type Column } from "../../components/data-table.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { Timestamp } from "../../components/timestamp.tsx";

/** The interval in which edges report. */
const edgesRefreshMs = 10_000;

export function useEdges(accountId: string) {
  return useApi(call("getEdges", { account_id: accountId }), {
    enabled: accountId !== "",
    refetchInterval: edgesRefreshMs,
  });
}

/** The edges of the last day, with the age of what they serve. */
export function EdgesTable({ accountId }: { readonly accountId: string }) {
  const { data, ...query } = useEdges(accountId);
  return (
    <DataTable
      label="Edges"
      query={{ ...query, data: data && { ...data, result: data.result.edges } }}
      columns={columns}
      rowId={({ id }) => id}
      empty={
        <EmptyList title="No edge runs">
          Start the server with --edge, or edges of their own with zoneward edge: until then no visitor meets
          the rules and certificates of any zone.
        </EmptyList>
      }
    />
  );
}

const columns: readonly Column<RunningEdge>[] = [
  {
    key: "host",
    header: "Machine",
    cell: ({ host, version }) => (
      <>
        <Text size="sm" fw={500}>
          {host}
        </Text>
        <Text size="xs" c="dimmed">
          Zoneward {version}
        </Text>
      </>
    ),
  },
  {
    key: "status",
    header: "Status",
    width: "9rem",
    cell: ({ status, seen_on }) =>
      status === "running" ? (
        <StatusBadge status={status} />
      ) : (
        <>
          <StatusBadge status={status} />
          <Text size="xs" c="dimmed">
            since <Timestamp at={seen_on} />
          </Text>
        </>
      ),
  },
  { key: "addresses", header: "Listens at", cell: (edge) => <Addresses edge={edge} /> },
  { key: "zones", header: "Zones", width: "5rem", cell: ({ zones }) => zones.toLocaleString("en") },
  {
    key: "configuration",
    header: "What it serves",
    width: "12rem",
    cell: ({ configuration_as_of: asOf }) =>
      asOf === null ? (
        "is up to date"
      ) : (
        <>
          may be as of <Timestamp at={asOf} />
        </>
      ),
  },
  {
    key: "started",
    header: "Started",
    width: "9rem",
    cell: ({ started_on }) => <Timestamp at={started_on} />,
  },
];

function Addresses({ edge: { http, https, judge } }: { readonly edge: RunningEdge }) {
  const places = [
    ...http.map((address) => `HTTP ${address}`),
    ...https.map((address) => `HTTPS ${address}`),
    ...judge.map((address) => `judge ${address}`),
  ];
  return (
    <Stack gap={0}>
      {places.map((place) => (
        <Text key={place} size="sm">
          {place}
        </Text>
      ))}
    </Stack>
  );
}
