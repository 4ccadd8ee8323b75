import { Badge, Skeleton, Stack, Tabs } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";

import { call, wholeList } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import type { NamedCall } from "../../components/api-calls.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { useZoneOfPage } from "../../components/zone-frame.tsx";
import { managedPhase } from "../../rule-phases.ts";
import { phaseTwo, type MigrationState } from "./entry-point.ts";
import { MigrationOffer } from "./migration-offer.tsx";
import { NewVersion } from "./new-version.tsx";
import { PreviousVersion } from "./previous-version.tsx";
import { readManagedRulesSearch, type View } from "./search.ts";
import { TurnOffPrevious } from "./turn-off-previous.tsx";
import { VisitorComparison } from "./visitor-comparison.tsx";

const route = getRouteApi("/shell/zones/$zoneId/security/waf/managed-rules");

const stateNames: Readonly<Record<MigrationState, string>> = {
  start: "Previous version",
  validation: "Validation: both versions",
  complete: "New version",
};

/** The managed rules of a zone's WAF: the previous version, the way to the new one, and the new one. */
export function ManagedRulesPage() {
  const { zoneId, zone } = useZoneOfPage();
  const { data: check, error, refetch } = useApi(call("checkMigration", { zone_id: zoneId }, phaseTwo));
  const state = check?.result.migration_state;
  return (
    <>
      <PageHeader
        title="WAF managed rules"
        of={zone && `${zone.name} › Security › WAF`}
        aside={
          state !== undefined && (
            <Badge variant="light" tt="none" color={state === "validation" ? "yellow" : "gray"}>
              {stateNames[state]}
            </Badge>
          )
        }
        calls={callsOf(zoneId, state)}
      />
      {error !== null && check === undefined ? (
        <ErrorAlert
          title="The state of the managed rules is unknown"
          error={error}
          onRetry={() => void refetch()}
        />
      ) : check === undefined || zone === undefined ? (
        <Skeleton height={280} radius="md" />
      ) : (
        <Stack gap="lg">
          {state === "start" && (
            <MigrationOffer zone={zone} isCompatible={check.result.compatible} obstacles={check.messages} />
          )}
          {state === "validation" && <TurnOffPrevious zone={zone} />}
          <Versions zoneId={zoneId} state={check.result.migration_state} />
        </Stack>
      )}
    </>
  );
}

function callsOf(zoneId: string, state: MigrationState | undefined): NamedCall[] {
  return [
    { title: "Get the versions in force", call: call("getMigrationStatus", { zone_id: zoneId }) },
    ...(state === "start"
      ? [
          {
            title: "Check whether the zone can update",
            call: call("checkMigration", { zone_id: zoneId }, phaseTwo),
          },
          {
            title: "Get the proposed configuration",
            call: call("proposeConfiguration", { zone_id: zoneId }, phaseTwo),
          },
        ]
      : [
          {
            title: "Get the rules of the new version",
            call: call("getEntryPoint", { zone_id: zoneId, ruleset_phase: managedPhase }),
          },
        ]),
    {
      title: "Compare the versions by visitors' requests",
      call: call("reportMigration", { zone_id: zoneId }, { hours: 24 }),
    },
    ...(state === "complete"
      ? []
      : [
          {
            title: "List the packages of the previous version",
            call: call("listWafPackages", { zone_id: zoneId }, wholeList),
          },
        ]),
  ];
}

interface VersionsProps {
  readonly zoneId: string;
  readonly state: MigrationState;
}

const viewNames: Readonly<Record<View, string>> = {
  new: "New version",
  previous: "Previous version",
  comparison: "Visitors",
};

/** The first is shown unless the address names another. */
const viewsOf: Readonly<Record<MigrationState, readonly [View, ...View[]]>> = {
  start: ["previous", "new", "comparison"],
  validation: ["new", "previous", "comparison"],
  complete: ["new", "comparison"],
};

/** The versions that the zone can have, and what they did about visitors. */
function Versions({ zoneId, state }: VersionsProps) {
  const { view } = route.useSearch();
  const navigate = route.useNavigate();
  const views = viewsOf[state];
  const shown = views.find((one) => one === view) ?? views[0];
  return (
    <Tabs
      value={shown}
      onChange={(value) => void navigate({ search: readManagedRulesSearch({ view: value }) })}
      keepMounted={false}
    >
      <Tabs.List mb="lg">
        {views.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {one === "comparison" && state === "validation" ? "Compared" : viewNames[one]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="new">
        <NewVersion zoneId={zoneId} />
      </Tabs.Panel>
      <Tabs.Panel value="previous">
        <PreviousVersion zoneId={zoneId} />
      </Tabs.Panel>
      <Tabs.Panel value="comparison">
        <VisitorComparison zoneId={zoneId} />
      </Tabs.Panel>
    </Tabs>
  );
}
