import { Card, Group, Skeleton, Title } from "@mantine/core";
import { useState } from "react";

import { Bars } from "../../components/bars.tsx";
import { counted } from "../../components/counted.ts";
import { toBuckets } from "../../components/event-buckets.ts";
import { AnchorLink } from "../../components/links.tsx";
import { useGraphql } from "../security-events/event-queries.ts";
import { countSecurityEvents } from "../security-events/event-queries.ts";

const hour = 60 * 60 * 1000;

/** The security events of the last day by hour; nothing where they may not be read. */
export function RecentEvents({ zoneId }: { readonly zoneId: string }) {
  const [to] = useState(() => Date.now());
  const from = to - 24 * hour;
  const since = `${new Date(from).toISOString().slice(0, 19)}Z`;
  const { data, isPending } = useGraphql(
    countSecurityEvents(zoneId, { datetime_geq: since }, "datetimeHour"),
  );
  const counts = data?.viewer.zones[0]?.firewallEventsAdaptiveGroups;
  if (counts === undefined) return isPending && <Skeleton height={174} radius="md" />;
  const sums = toBuckets(counts, "datetimeHour", { from, to }).map((bucket) =>
    Object.values(bucket.counts).reduce((sum, count) => sum + count, 0),
  );
  const events = sums.reduce((sum, count) => sum + count, 0);
  return (
    <Card withBorder padding="lg">
      <Group justify="space-between" mb="md">
        <Title order={2}>Security events</Title>
        <AnchorLink size="sm" to="/zones/$zoneId/security/events" params={{ zoneId }}>
          Show them
        </AnchorLink>
      </Group>
      <Bars values={sums} summary={`${counted(events, "event")} in the last 24 hours, by hour`} />
    </Card>
  );
}
