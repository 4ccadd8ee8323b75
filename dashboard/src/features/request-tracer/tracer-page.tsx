import { Skeleton, Stack } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";

import type { Zone } from "../../../../src/resources/zones/schema.ts";
import { call } from "../../api/call.ts";
import { useApiMutation } from "../../api/query.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { useZoneOfPage } from "../../components/zone-frame.tsx";
import { TraceResult } from "./trace-result.tsx";
import { initialRequest, toTraceBody, type TracedRequest } from "./traced-request.ts";
import { TracerForm } from "./tracer-form.tsx";

const route = getRouteApi("/shell/zones/$zoneId/trace");

export function TracerPage() {
  const { zone } = useZoneOfPage();
  return zone === undefined ? <Skeleton height={360} radius="md" /> : <Tracer zone={zone} />;
}

function Tracer({ zone }: { readonly zone: Zone }) {
  const [request, setRequest] = useState(initialRequest(route.useSearch(), zone.name));
  const [traced, setTraced] = useState<TracedRequest>();
  const trace = useApiMutation(
    (asked: TracedRequest) => call("traceRequest", { account_id: zone.account.id }, toTraceBody(asked)),
    {
      invalidates: [call("queryGraphql", {}, { query: "" })],
    },
  );
  return (
    <>
      <PageHeader
        title="Request tracer"
        of={zone.name}
        description="What would happen to a request: which rules it meets, in their order. It is not sent, and is judged as if it came from your own address. What rules do is noted as security events."
        calls={[
          {
            title: "Trace the request",
            call: call("traceRequest", { account_id: zone.account.id }, toTraceBody(request)),
          },
        ]}
      />
      <Stack gap="lg">
        <TracerForm
          request={request}
          onChange={setRequest}
          isPending={trace.isPending}
          error={trace.error}
          onTrace={() => {
            setTraced(request);
            trace.mutate(request);
          }}
        />
        {trace.data !== undefined && traced !== undefined && (
          <TraceResult zone={zone} request={traced} result={trace.data.result} />
        )}
      </Stack>
    </>
  );
}
