import { Title } from "@mantine/core";
import { Outlet, useParams } from "@tanstack/react-router";

import { call } from "../api/call.ts";
import { useApi } from "../api/query.ts";
import { ErrorAlert } from "./error-alert.tsx";
import type { Zone } from "../../../src/resources/zones/schema.ts";

/** The pages of one zone, or why it cannot be shown. */
export function ZoneFrame() {
  const { zoneId } = useParams({ from: "/shell/zones/$zoneId" });
  const { error, data, refetch } = useApi(call("getZone", { zone_id: zoneId }));
  if (error !== null && data === undefined)
    return (
      <>
        <Title order={1} mb="lg">
          Zone
        </Title>
        <ErrorAlert title="This zone could not be shown" error={error} onRetry={() => void refetch()} />
      </>
    );
  return <Outlet />;
}

/** Id of the zone whose page this is, and the zone itself once it is there. */
export function useZoneOfPage(): { readonly zoneId: string; readonly zone: Zone | undefined } {
  const { zoneId } = useParams({ from: "/shell/zones/$zoneId" });
  return { zoneId, zone: useApi(call("getZone", { zone_id: zoneId })).data?.result };
}
