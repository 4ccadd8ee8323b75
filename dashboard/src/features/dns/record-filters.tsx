import { Group, MultiSelect, Select } from "@mantine/core";
import type { ReactNode } from "react";

import { recordTypes } from "../../../../src/core/dns/content/record-types.ts";
import { SearchInput } from "../../components/search-input.tsx";
import type { DnsSearch } from "./search.ts";

type RecordFilter = Pick<DnsSearch, "search" | "type" | "proxied">;

interface RecordFiltersProps {
  readonly filter: RecordFilter;
  readonly onFilter: (change: RecordFilter) => void;
  /** Beside the filters. */
  readonly children: ReactNode;
}

/** What of the records is listed. */
export function RecordFilters({ filter, onFilter, children }: RecordFiltersProps) {
  return (
    <Group mb="md" gap="sm" align="flex-start">
      <SearchInput
        label="Search records"
        value={filter.search ?? ""}
        onSearch={(search) => onFilter({ search: search || undefined })}
      />
      <MultiSelect
        aria-label="Types"
        placeholder={filter.type === undefined ? "All types" : ""}
        data={[...recordTypes]}
        value={filter.type === undefined ? [] : filter.type.split(",")}
        onChange={(types) => onFilter({ type: types.join(",") || undefined })}
        clearable
        searchable
        flex="1 1 8rem"
        maw={{ xs: 200 }}
      />
      <Select
        aria-label="Proxy status"
        placeholder="Proxied or not"
        data={[
          { value: "true", label: "Proxied" },
          { value: "false", label: "DNS only" },
        ]}
        value={filter.proxied === undefined ? null : String(filter.proxied)}
        onChange={(value) => onFilter({ proxied: value === null ? undefined : value === "true" })}
        clearable
        flex="1 1 8rem"
        maw={{ xs: 160 }}
      />
      {children}
    </Group>
  );
}
