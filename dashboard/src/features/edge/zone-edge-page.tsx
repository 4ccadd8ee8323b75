import { Card, Skeleton, Stack, Title } from "@mantine/core";

import { call } from "../../api/call.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { useZoneOfPage } from "../../components/zone-of-page.ts";
import { EdgesTable } from "./edges-table.tsx";
import { InForce, proxiedRecords } from "./in-force.tsx";

/** Whether visitors of a zone meet its rules and certificates, and where. */
export function ZoneEdgePage() {
  const { zoneId, zone } = useZoneOfPage();
  const accountId = zone?.account.id ?? "";
  return (
    <>
      <PageHeader
        title="Edge"
        of={zone?.name}
        description="Whether visitors meet the rules, certificates and settings of the zone."
        calls={[
          { title: "Tell which edges run", call: call("getEdges", { account_id: accountId }) },
          {
            title: "List the proxied records",
            call: call("listDnsRecords", { zone_id: zoneId }, proxiedRecords),
          },
        ]}
      />
      {zone === undefined ? (
        <Skeleton height={320} radius="md" />
      ) : (
        <Stack gap="xl">
          <Card withBorder padding="lg">
            <Title order={2} mb="md">
              In force here
            </Title>
            <InForce zone={zone} />
          </Card>
          <section>
            <Title order={2} mb="sm">
              Edges
            </Title>
            <EdgesTable accountId={zone.account.id} />
          </section>
        </Stack>
      )}
    </>
  );
}
