import { Stack } from "@mantine/core";

import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { Pending } from "../../components/error-alert.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { useZoneOfPage } from "../../components/zone-of-page.ts";
import { DsRecord } from "./ds-record.tsx";
import { SigningOptions } from "./signing-options.tsx";
import { StageCard } from "./stage-card.tsx";
import { stageOf } from "./stages.ts";

const waitingRefreshMs = 30_000;

/** Whether a zone is signed, and what its parent zone has to know of it. */
export function DnssecPage() {
  const { zoneId, zone } = useZoneOfPage();
  const request = call("getDnssec", { zone_id: zoneId });
  const { data, error } = useApi(request, { refetchInterval: waitingRefreshMs });
  const dnssec = data?.result;
  return (
    <>
      <PageHeader
        title="DNSSEC"
        of={zone?.name}
        aside={dnssec !== undefined && <StatusBadge status={dnssec.status} />}
        description="Signatures let resolvers refuse answers that somebody forged on the way."
        calls={[
          { title: "Get the status and the DS record", call: request },
          { title: "Turn DNSSEC on", call: call("editDnssec", { zone_id: zoneId }, { status: "active" }) },
          { title: "Look for the DS record now", call: call("editDnssec", { zone_id: zoneId }, {}) },
          {
            title: "List the keys that sign the records",
            call: call("listZoneSigningKeys", { zone_id: zoneId }),
          },
          { title: "Turn DNSSEC off", call: call("editDnssec", { zone_id: zoneId }, { status: "disabled" }) },
          { title: "Delete the keys", call: call("deleteDnssec", { zone_id: zoneId }) },
        ]}
      />
      {dnssec === undefined || zone === undefined ? (
        <Pending height={240} title="The status could not be shown" error={error} />
      ) : (
        <Stack gap="lg">
          <StageCard zone={zone} dnssec={dnssec} stage={stageOf(dnssec)} />
          {dnssec.ds !== null && <DsRecord dnssec={dnssec} ds={dnssec.ds} />}
          {(dnssec.ds !== null || dnssec.status !== "disabled") && (
            <SigningOptions zone={zone} dnssec={dnssec} />
          )}
        </Stack>
      )}
    </>
  );
}
