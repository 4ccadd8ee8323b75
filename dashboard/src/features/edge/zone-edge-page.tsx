import { Card, Skeleton, Stack, Title, Group, List, Text, ThemeIcon } from "@mantine/core";
import { CheckCircleIcon, ExclamationTriangleIcon } from "@heroicons/react/24/outline";
import type { ReactNode } from "react";

import { call, wholeList } from "../../api/call.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { useZoneOfPage } from "../../components/zone-frame.tsx";
import { EdgesTable, useEdges } from "./edges-table.tsx";
import type { Zone } from "../../../../src/resources/zones/schema.ts";
import { useApi } from "../../api/query.ts";
import { AnchorLink } from "../../components/links.tsx";
import { conditionsOf, listensForHttps, type Condition } from "./conditions.ts";

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

/** Asks for the first page of proxied records; most zones have no more. */
const proxiedRecords = { page: 1, per_page: 1_000, proxied: true } as const;

/** Lists the conditions under which a zone is in force for visitors, each with whether it holds. */
function InForce({ zone }: { readonly zone: Zone }) {
  const edges = useEdges(zone.account.id).data?.result;
  const proxied = useApi(call("listDnsRecords", { zone_id: zone.id }, proxiedRecords)).data;
  const packs = useApi(
    call("listCertificatePacks", { zone_id: zone.id }, { ssl_status: "all", ...wholeList }),
  ).data?.result;
  const hasPack = packs?.some(({ status }) => status === "active");
  const customs = useApi(call("listCustomCertificates", { zone_id: zone.id }, wholeList), {
    enabled: hasPack === false,
  }).data?.result;
  const mode = useApi(call("getZoneDnsSettings", { zone_id: zone.id })).data?.result.zone_mode;
  const settings = useApi(call("listZoneSettings", { zone_id: zone.id }), {
    enabled: edges !== undefined && listensForHttps(edges),
  }).data?.result;
  const ssl = settings?.find(({ id }) => id === "ssl")?.value;
  const conditions = conditionsOf({ zone, edges, proxied, packs, customs, mode, ssl });
  return (
    <List listStyleType="none" withPadding={false} spacing="sm">
      {conditions.map((condition) => (
        <List.Item
          key={condition.title}
          aria-label={`${condition.title}: ${condition.isMet ? "as it should be" : "not so"}`}
        >
          <Row condition={condition} zoneId={zone.id} />
        </List.Item>
      ))}
    </List>
  );
}

interface RowProps {
  readonly condition: Condition;
  readonly zoneId: string;
}

function Row({ condition: { title, isMet, text, to }, zoneId }: RowProps): ReactNode {
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <ThemeIcon size="sm" radius="xl" variant="light" color={isMet ? "green" : "yellow"} aria-hidden>
        {isMet ? <CheckCircleIcon width={18} /> : <ExclamationTriangleIcon width={16} />}
      </ThemeIcon>
      <Stack gap={2}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="sm" c="dimmed" maw="48rem">
          {text}
        </Text>
        {!isMet && to !== undefined && (
          <AnchorLink size="sm" underline="always" to={to.path} params={{ zoneId }}>
            {to.label}
          </AnchorLink>
        )}
      </Stack>
    </Group>
  );
}
