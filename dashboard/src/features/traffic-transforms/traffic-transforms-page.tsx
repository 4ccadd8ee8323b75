import { Stack } from "@mantine/core";

import { call } from "../../api/call.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { useZoneOfPage } from "../../components/zone-of-page.ts";
import { ManagedTransformsCard } from "./managed-transforms-card.tsx";
import { UrlNormalizationCard } from "./url-normalization-card.tsx";

/** How the URLs of requests are spelled, and which headers are changed. */
export function TrafficTransformsPage() {
  const { zoneId, zone } = useZoneOfPage();
  return (
    <>
      <PageHeader
        title="URLs and headers"
        of={zone?.name}
        calls={[
          { title: "Get the normalization of URLs", call: call("getUrlNormalization", { zone_id: zoneId }) },
          { title: "List the managed transforms", call: call("listManagedTransforms", { zone_id: zoneId }) },
          {
            title: "Turn a managed transform on",
            call: call(
              "editManagedTransforms",
              { zone_id: zoneId },
              {
                managed_request_headers: [{ id: "add_visitor_location_headers", enabled: true }],
              },
            ),
          },
        ]}
      />
      <Stack gap="lg">
        <UrlNormalizationCard zoneId={zoneId} />
        <ManagedTransformsCard zoneId={zoneId} />
      </Stack>
    </>
  );
}
