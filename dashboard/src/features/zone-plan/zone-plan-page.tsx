import { Stack } from "@mantine/core";

import { call } from "../../api/call.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { useZoneOfPage } from "../../components/zone-of-page.ts";
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
          { title: "List the plans", call: call("listAvailablePlans", { zone_id: zoneId }) },
          {
            title: "Change the plan",
            call: call("updateZoneSubscription", { zone_id: zoneId }, { rate_plan: { id: "pro" } }),
          },
          { title: "Say whether the zone is held", call: call("getZoneHold", { zone_id: zoneId }) },
          { title: "Hold the zone", call: call("editZoneHold", { zone_id: zoneId }, { hold_after: "" }) },
        ]}
      />
      <Stack gap="lg">
        <PlanCard zoneId={zoneId} />
        <HoldCard zoneId={zoneId} />
      </Stack>
    </>
  );
}
