import { MultiSelect } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";

import { call, wholeList } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import type { Names } from "./token-summary.ts";

interface ChoiceProps {
  readonly ids: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
}

/** Chooses accounts. */
export function AccountChoice({ ids, onChange }: ChoiceProps) {
  const { data } = useApi(call("listAccounts", {}, wholeList));
  const known = data?.result ?? [];
  return (
    <MultiSelect
      label="Accounts"
      placeholder={ids.length === 0 ? "Choose accounts" : ""}
      searchable
      data={known.map(({ id, name }) => ({ value: id, label: name }))}
      value={[...ids]}
      onChange={onChange}
    />
  );
}

const zonesOffered = 50;

interface ZoneChoiceProps extends ChoiceProps {
  /** Of what account; of any if undefined. */
  readonly accountId: string | undefined;
  /** Has those that are chosen already. */
  readonly names: Names;
}

/** Chooses zones, which the server searches. */
export function ZoneChoice({ accountId, ids, names, onChange }: ZoneChoiceProps) {
  const [search, setSearch] = useState("");
  const [searched] = useDebouncedValue(search.trim().toLowerCase(), 200);
  const { data } = useApi(
    call(
      "listZones",
      {},
      {
        page: 1,
        per_page: zonesOffered,
        name: searched === "" ? undefined : `contains:${searched}`,
        "account.id": accountId,
      },
    ),
  );
  const offered = new Map((data?.result ?? []).map(({ id, name }) => [id, name]));
  for (const id of ids) offered.set(id, names.get(id) ?? offered.get(id) ?? id);
  return (
    <MultiSelect
      label="Zones"
      placeholder={ids.length === 0 ? "Search zones" : ""}
      searchable
      nothingFoundMessage="No zone matches"
      searchValue={search}
      onSearchChange={setSearch}
      data={[...offered].map(([value, label]) => ({ value, label }))}
      value={[...ids]}
      onChange={onChange}
    />
  );
}
