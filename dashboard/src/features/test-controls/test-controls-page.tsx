import { Stack } from "@mantine/core";

import { call } from "../../api/call.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { Faults } from "./faults.tsx";
import { Requests } from "./requests.tsx";

/** Makes requests fail, and shows those that come. */
export function TestControlsPage() {
  return (
    <>
      <PageHeader
        title="Faults and requests"
        description="For tests of clients: rules that make this server fail, and what it was asked."
        calls={[
          { title: "List the faults", call: call("listFaults", {}) },
          { title: "Add the faults of a preset", call: call("createFaults", {}, { preset: "flaky" }) },
          { title: "List the newest requests", call: call("listJournal", {}, { limit: 100 }) },
        ]}
      />
      <Stack gap="lg">
        <Faults />
        <Requests />
      </Stack>
    </>
  );
}
