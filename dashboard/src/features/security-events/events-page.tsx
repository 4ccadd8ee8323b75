import { ArrowPathIcon, DocumentArrowUpIcon } from "@heroicons/react/24/outline";
import { ActionIcon, Alert, Card, Stack, Switch, Tabs } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";

import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { Pending } from "../../components/error-alert.tsx";
import { toBuckets } from "../../components/event-buckets.ts";
import { ButtonLink } from "../../components/links.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useZoneOfPage } from "../../components/zone-frame.tsx";
import { EventChart } from "./event-chart.tsx";
import { EventFilters } from "./event-filters.tsx";
import { EventLog } from "./event-log.tsx";
import { useGraphql } from "./event-queries.ts";
import {
  countSecurityEvents,
  eventsMax,
  listSecurityEvents,
  ofVisitors,
  type SecurityEvent,
} from "./event-queries.ts";
import { EventTops } from "./event-tops.tsx";
import type { EventsSearch } from "./search.ts";
import { spanOf } from "./spans.ts";
import { VersionComparison } from "./version-comparison.tsx";

const route = getRouteApi("/shell/zones/$zoneId/security/events");

/** The activity log of a zone: what its firewall's rules made of requests. */
export function EventsPage() {
  const { zoneId, zone } = useZoneOfPage();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const show = (change: EventsSearch): void =>
    void navigate({ search: { ...search, ...change }, replace: true });
  const [now, setNow] = useState(() => Date.now());
  const span = spanOf(search.span);
  const from = now - span.milliseconds;
  const filter = {
    datetime_geq: search.from ?? `${new Date(from).toISOString().slice(0, 19)}Z`,
    datetime_lt: search.to,
    action: search.action,
    source: search.source,
    clientIP: search.ip,
    clientRequestHTTPHost: search.host,
    clientRequestPath: search.path,
    clientCountryName: search.country,
    ruleId: search.rule,
    rayName: search.ray,
  };
  const countedFilter = search.tests === true ? filter : { ...filter, ...ofVisitors };
  const request = listSecurityEvents(zoneId, filter);
  // The chart keeps the whole time, so that another part of it can be chosen.
  const countCall = countSecurityEvents(
    zoneId,
    {
      ...countedFilter,
      datetime_geq: `${new Date(from).toISOString().slice(0, 19)}Z`,
      datetime_lt: undefined,
    },
    span.period,
  );
  const { data, error, isFetching, refetch } = useGraphql(request);
  const counted = useGraphql(countCall);
  const counts = counted.data?.viewer.zones[0]?.firewallEventsAdaptiveGroups;
  const events = data?.viewer.zones[0]?.firewallEventsAdaptive;
  return (
    <>
      <PageHeader
        title="Security events"
        of={zone && `${zone.name} › Security`}
        calls={[
          { title: "Count the events", call: countCall },
          { title: "List the newest ones", call: request },
        ]}
      >
        <ActionIcon
          variant="default"
          size={36}
          aria-label="Refresh"
          loading={isFetching}
          onClick={() => setNow(Date.now())}
        >
          <ArrowPathIcon width={18} aria-hidden />
        </ActionIcon>
        <ButtonLink
          variant="default"
          leftSection={<DocumentArrowUpIcon width={18} aria-hidden />}
          to="/zones/$zoneId/security/events/replay"
          params={{ zoneId }}
        >
          Replay requests
        </ButtonLink>
      </PageHeader>
      <EventFilters search={search} onSearch={show} />
      {events !== undefined ? (
        <Stack gap="lg">
          <Card withBorder padding="md">
            {counts === undefined ? (
              <Pending
                height={120}
                title="The events could not be counted"
                error={counted.error}
                onRetry={() => void counted.refetch()}
              />
            ) : (
              <EventChart
                buckets={toBuckets(counts, span.period, { from, to: now })}
                chosen={
                  search.from === undefined || search.to === undefined
                    ? undefined
                    : { start: Date.parse(search.from), end: Date.parse(search.to) }
                }
                onChoose={(part) =>
                  show({
                    from: part && `${new Date(part.start).toISOString().slice(0, 19)}Z`,
                    to: part && `${new Date(part.end).toISOString().slice(0, 19)}Z`,
                  })
                }
              />
            )}
            <Switch
              mt="sm"
              label="Count traced and replayed requests"
              checked={search.tests === true}
              onChange={(event) => show({ tests: event.currentTarget.checked || undefined })}
            />
          </Card>
          <EventTops zoneId={zoneId} filter={countedFilter} onSearch={show} />
          <Views zoneId={zoneId} search={search} events={events} onSearch={show} />
        </Stack>
      ) : (
        <Pending
          height={360}
          title="The events could not be listed"
          error={error}
          onRetry={() => void refetch()}
        />
      )}
    </>
  );
}

interface ViewsProps {
  readonly zoneId: string;
  readonly search: EventsSearch;
  readonly events: readonly SecurityEvent[];
  readonly onSearch: (change: EventsSearch) => void;
}

/** The log; in validation mode also where the two versions of the managed rules differ. */
function Views({ zoneId, search, events, onSearch }: ViewsProps) {
  const status = useApi(call("getMigrationStatus", { zone_id: zoneId })).data?.result;
  const isPartial = events.length === eventsMax;
  const log = (
    <Stack>
      {isPartial && (
        <Alert color="yellow">
          The newest {eventsMax.toLocaleString()} events are listed. Choose a shorter time or a filter to see
          others; the chart counts all of them.
        </Alert>
      )}
      <EventLog zoneId={zoneId} events={events} onSearch={onSearch} />
    </Stack>
  );
  if (status?.migration_state !== "validation") return log;
  return (
    <Tabs defaultValue="log" keepMounted={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="log">Activity log</Tabs.Tab>
        <Tabs.Tab value="comparison">Both versions compared</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="log">{log}</Tabs.Panel>
      <Tabs.Panel value="comparison">
        <VersionComparison
          zoneId={zoneId}
          search={search}
          events={events}
          isComplete={!isPartial}
          onSearch={onSearch}
        />
      </Tabs.Panel>
    </Tabs>
  );
}
