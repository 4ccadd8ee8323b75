import { Card, Stack } from "@mantine/core";

import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { EmptyList } from "../../components/data-table.tsx";
import { Pending } from "../../components/error-alert.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { NetworkCard } from "./network-card.tsx";

const refreshMs = 10_000;

/** The networks of the JSON-RPC gateway, as the process that answers sees them. */
export function GatewayPage() {
  const request = call("listGatewayNetworks", {});
  const { data, error, refetch } = useApi(request, { refetchInterval: refreshMs });
  return (
    <>
      <PageHeader
        title="Gateway"
        description="JSON-RPC to blockchain networks. The numbers are from the server that answers, since it started."
        calls={[{ title: "List the networks", call: request }]}
      />
      {data === undefined ? (
        <Pending
          height={320}
          title="The networks could not be listed"
          error={error}
          onRetry={() => void refetch()}
        />
      ) : data.result.length === 0 ? (
        <Card withBorder padding="xl" ta="center">
          <EmptyList title="No networks to show">
            To see networks you need Web3 Hostnames Read on a zone.
          </EmptyList>
        </Card>
      ) : (
        <Stack gap="lg">
          {data.result.map((network) => (
            <NetworkCard key={network.name} network={network} />
          ))}
        </Stack>
      )}
    </>
  );
}
