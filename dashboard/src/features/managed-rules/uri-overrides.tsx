import { Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";

import type { WafOverride } from "../../../../src/resources/previous-waf/schema.ts";
import { call, wholeList } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { ConfirmCall } from "../../components/confirm-modal.tsx";
import { counted } from "../../components/counted.ts";
import { DataTable, EmptyList, type Column } from "../../components/data-table.tsx";
import { RemoveButton } from "../../components/icon-button.tsx";

/** The URI-based overrides of a zone, which keep it from migrating until they are deleted. */
export function UriOverrides({ zoneId }: { readonly zoneId: string }) {
  const overrides = useApi(call("listWafOverrides", { zone_id: zoneId }, wholeList));
  const [deleted, setDeleted] = useState<WafOverride>();
  if (overrides.data?.result.length === 0) return undefined;
  return (
    <>
      <DataTable
        label="URI-based overrides"
        query={overrides}
        rowId={({ id }) => id}
        columns={overrideColumns(setDeleted)}
        empty={<EmptyList title="No URI-based overrides" />}
      />
      {deleted !== undefined && (
        <DeleteOverride zoneId={zoneId} override={deleted} onDone={() => setDeleted(undefined)} />
      )}
    </>
  );
}

function overrideColumns(onDelete: (override: WafOverride) => void): readonly Column<WafOverride>[] {
  return [
    {
      key: "urls",
      header: "URLs",
      cell: ({ urls }) => (
        <Text size="sm" className="monospace">
          {urls.join(", ")}
        </Text>
      ),
    },
    { key: "description", header: "Description", cell: ({ description }) => description ?? "–" },
    { key: "changes", header: "Changes", cell: changesOf },
    {
      key: "actions",
      header: "Actions",
      width: "3.5rem",
      isActions: true,
      cell: (override) => (
        <RemoveButton
          label={`Delete the override of ${override.urls.join(", ")}`}
          onClick={() => onDelete(override)}
        />
      ),
    },
  ];
}

/** "2 groups, 1 rule". */
function changesOf({ groups, rules }: WafOverride): string {
  const parts = [
    [Object.keys(groups).length, "group"],
    [Object.keys(rules).length, "rule"],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, name]) => counted(count, name))
    .join(", ");
}

interface DeleteOverrideProps {
  readonly zoneId: string;
  readonly override: WafOverride;
  readonly onDone: () => void;
}

function DeleteOverride({ zoneId, override, onDone }: DeleteOverrideProps) {
  return (
    <ConfirmCall
      call={call("deleteWafOverride", { zone_id: zoneId, override_id: override.id })}
      invalidates={[call("getZone", { zone_id: zoneId })]}
      onSuccess={() => {
        notifications.show({ message: "The override was deleted." });
        onDone();
      }}
      onClose={onDone}
      title="Delete the override"
      action="Delete"
    >
      The previous version will then treat <span className="monospace">{override.urls.join(", ")}</span> like
      any other URL. In the new version, an exception can take its place.
    </ConfirmCall>
  );
}
