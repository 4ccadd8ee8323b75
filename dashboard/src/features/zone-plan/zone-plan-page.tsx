import { Stack } from "@mantine/core";

import { PageHeader } from "../../components/page-header.tsx";
import { useZoneOfPage } from "../../components/zone-of-page.ts";
import { editZoneHold, listAvailablePlans, subscribeZone, zoneHoldOf } from "../../api/zone-plans.ts";
import { HoldCard } from "./hold-card.tsx";
import { PlanCard } from "./plan-card.tsx";

/** The plan of a zone, and whether its name is held. */
export function ZonePlanPage() {
  const { zoneId, zone } = useZoneOfPage();
  return (
    <>
      <PageHeader
        title="Plan and hold"
        of={zone?.name}
        calls={[
          { title: "List the plans", call: listAvailablePlans(zoneId) },
          { title: "Change the plan", call: subscribeZone(zoneId, "pro") },
          { title: "Say whether the zone is held", call: zoneHoldOf(zoneId) },
          { title: "Hold the zone", call: editZoneHold(zoneId, { hold_after: "" }) },
        ]}
      />
      <Stack gap="lg">
        <PlanCard zoneId={zoneId} />
        <HoldCard zoneId={zoneId} />
      </Stack>
    </>
  );
}
