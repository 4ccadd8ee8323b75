import { MultiSelect } from "@mantine/core";

import { call, wholeList } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import type { ControlProps } from "../../components/resource/field.tsx";

interface ZonesControlProps extends ControlProps<readonly string[]> {
  readonly accountId: string;
}

/** Chooses zones of an account by their names. */
export function ZonesControl({ accountId, words, value, onChange, error, disabled }: ZonesControlProps) {
  const request = call("listZones", {}, { ...wholeList, order: "name", "account.id": accountId });
  const zones = useApi(request).data?.result ?? [];
  const names = new Map(zones.map(({ id, name }) => [id, name]));
  for (const id of value) if (!names.has(id)) names.set(id, id);
  return (
    <MultiSelect
      {...words}
      description="None: all zones of the account"
      searchable
      data={[...names].map(([id, label]) => ({ value: id, label }))}
      value={[...value]}
      onChange={onChange}
      error={error}
      disabled={disabled}
    />
  );
}
