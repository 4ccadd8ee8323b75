import { Alert, Badge, Card, Group, Stack, Text, Title } from "@mantine/core";

import type { GatewayNetwork } from "../../../../src/resources/gateway-networks/schema.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { DataTable, EmptyList, type Column } from "../../components/data-table.tsx";
import { Facts } from "../../components/facts.tsx";
import { rowsAtHand } from "../../components/rows-at-hand.ts";
import { Bars } from "../../components/bars.tsx";
import { counted } from "../../components/counted.ts";

const statusColors: Readonly<Record<GatewayNetwork["status"], string>> = {
  active: "green",
  deprecated: "yellow",
  retired: "gray",
  unconfigured: "gray",
};

const number = new Intl.NumberFormat();

/** One network: where it is called, what answers, how often it is called, and when it ends. */
export function NetworkCard({ network }: { readonly network: GatewayNetwork }) {
  const { name, chain_id: chainId, path, status, source, calls, upstreams } = network;
  const url = window.location.origin + path;
  return (
    <Card withBorder padding="lg" component="section" aria-label={`Network ${name}`}>
      <Stack gap="md">
        <Group gap="sm">
          <Title order={2}>{name}</Title>
          <Badge variant="light" color={statusColors[status]} tt="none">
            {status}
          </Badge>
          <Text size="sm" c="dimmed">
            chain {chainId}
          </Text>
        </Group>
        <End network={network} />
        {status !== "retired" && (
          <Group gap={4} wrap="nowrap">
            <Text component="code" size="sm">
              POST {url}
            </Text>
            <CopyButton value={url} what={`the URL of ${name}`} />
          </Group>
        )}
        {source === "development_chain" && (
          <Text size="sm" c="dimmed">
            A development chain in this process answers, not the public network of this name.
          </Text>
        )}
        {status === "unconfigured" && (
          <Text size="sm" c="dimmed">
            It has no upstreams: calls are answered with 503 until the setting <code>gateway_networks</code>{" "}
            names one.
          </Text>
        )}
        {(calls.total > 0 || status === "active") && (
          <>
            <Facts
              facts={{
                Calls: number.format(calls.total),
                "From the cache": number.format(calls.cached),
                "Answered with an error": number.format(calls.failed),
              }}
            />
            <CallRate perMinute={calls.per_minute} />
          </>
        )}
        {upstreams.length > 0 && (
          <DataTable
            label={`Upstreams of ${name}`}
            query={rowsAtHand(upstreams)}
            rowId={(upstream) => upstream.name}
            columns={upstreamColumns}
            empty={<EmptyList title="No upstreams" />}
          />
        )}
      </Stack>
    </Card>
  );
}

/** A network that ends or has ended, and the one to use instead. */
function End({ network }: { readonly network: GatewayNetwork }) {
  const { status, deprecated_on: day, successor } = network;
  if (day === null) return undefined;
  return (
    <Alert color={status === "retired" ? "gray" : "yellow"}>
      {status === "retired" ? `It was retired on ${day}: calls are answered with 410.` : `It ends on ${day}.`}
      {successor !== null && ` Use ${successor} instead.`}
    </Alert>
  );
}

type Upstream = GatewayNetwork["upstreams"][number];

const upstreamColumns: readonly Column<Upstream>[] = [
  { key: "name", header: "Upstream", cell: ({ name }) => name },
  {
    key: "health",
    header: "Health",
    cell: ({ usable }) =>
      usable === null ? (
        <Text size="sm" c="dimmed">
          Not checked yet
        </Text>
      ) : (
        <Badge variant="light" color={usable ? "green" : "red"} tt="none">
          {usable ? "usable" : "avoided"}
        </Badge>
      ),
  },
  {
    key: "block",
    header: "Newest block",
    cell: ({ block }) => (block === null ? "–" : number.format(block)),
  },
  { key: "requests", header: "Requests", cell: ({ requests }) => number.format(requests) },
  { key: "failed", header: "Failed", cell: ({ failed }) => number.format(failed) },
];

/** Calls of each of the last minutes; `perMinute` has the oldest first, the last one is running. */
function CallRate({ perMinute }: { readonly perMinute: readonly number[] }) {
  const sum = perMinute.reduce((total, count) => total + count, 0);
  if (sum === 0)
    return (
      <Text size="sm" c="dimmed">
        No calls in the last {perMinute.length} minutes.
      </Text>
    );
  const summary = `${counted(sum, "call")} in the last ${perMinute.length} minutes, at most ${Math.max(...perMinute)} in one`;
  return <Bars values={perMinute} summary={summary} />;
}
