import { Anchor, Group, List, Switch, Text } from "@mantine/core";
import { useMemo, useState } from "react";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";

import type { TokenPermissionGroup } from "../../../../src/resources/tokens/schema.ts";
import { call, type ApiCall } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { EmptyList, type Column } from "../../components/data-table.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { PageLoading } from "../../components/page-loading.tsx";
import { PagedTable } from "../../components/paged-table.tsx";
import { SearchInput } from "../../components/search-input.tsx";
import { useTokenOwner } from "./token-owner.ts";
import type { ApiError } from "../../api/api-error.ts";
import { sendForText } from "../../api/send.ts";

interface DescribedGroup extends TokenPermissionGroup {
  /** Summaries of the operations that it permits. */
  readonly operations: readonly string[];
}

/** The permission groups that tokens are made of, and what each lets do. */
export function PermissionGroupsPage() {
  const { owner, name } = useTokenOwner();
  const request = call("listPermissionGroups", owner);
  const groups = useApi(request);
  const opened = useOpenedOperations();
  const [text, setText] = useState("");
  const [showsAll, setShowsAll] = useState(false);
  const described = useMemo(
    () =>
      (groups.data?.result ?? []).map(({ id, name: groupName, scopes: given }) => ({
        id,
        name: groupName,
        scopes: given,
        operations: opened.data?.get(id) ?? [],
      })),
    [groups.data, opened.data],
  );
  const found = described.filter(
    (group) => (showsAll || group.operations.length > 0) && matches(group, text.toLowerCase()),
  );
  const error = groups.error ?? opened.error;
  return (
    <>
      <PageHeader
        title="Permission groups"
        of={name}
        description="What each permission of a token lets it do on the resources of its policy. A Write group includes its Read group."
        calls={[{ title: "List the permission groups", call: request }]}
      />
      <Group mb="md" gap="md">
        <SearchInput label="Search permission groups" value={text} onSearch={setText} />
        <Switch
          label="Show groups that no operation of this server needs"
          checked={showsAll}
          onChange={(event) => setShowsAll(event.currentTarget.checked)}
        />
      </Group>
      {error !== null ? (
        <ErrorAlert title="The permission groups could not be listed" error={error} />
      ) : groups.data === undefined || opened.data === undefined ? (
        <PageLoading />
      ) : (
        <PagedTable
          label="Permission groups"
          rows={found}
          rowId={({ id }) => id}
          columns={columns}
          empty={<EmptyList title="No permission group matches" />}
        />
      )}
    </>
  );
}

function matches({ name, operations, ...group }: DescribedGroup, text: string): boolean {
  return [name, scopeOf(group), ...operations].some((one) => one.toLowerCase().includes(text));
}

const columns: readonly Column<DescribedGroup>[] = [
  {
    key: "name",
    header: "Name",
    width: "30%",
    cell: ({ name }) => (
      <Text size="sm" fw={600}>
        {name}
      </Text>
    ),
  },
  { key: "scope", header: "Scope", width: "8rem", cell: scopeOf },
  {
    key: "operations",
    header: "Lets a token",
    cell: ({ operations }) => <Operations operations={operations} />,
  },
];

const shownAtFirst = 3;

function Operations({ operations }: Pick<DescribedGroup, "operations">) {
  const [showsAll, setShowsAll] = useState(false);
  if (operations.length === 0)
    return (
      <Text size="sm" c="dimmed">
        do nothing on this server
      </Text>
    );
  return (
    <>
      <List size="sm">
        {operations.slice(0, showsAll ? undefined : shownAtFirst).map((operation) => (
          <List.Item key={operation}>{operation}</List.Item>
        ))}
      </List>
      {operations.length > shownAtFirst && (
        <Anchor component="button" size="sm" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? "Show less" : `Show all ${operations.length}`}
        </Anchor>
      )}
    </>
  );
}

const scopes: readonly (readonly [ending: string, name: string])[] = [
  [".account.zone", "Zone"],
  [".account", "Account"],
  [".user", "User"],
  [".r2.bucket", "Bucket"],
];

/** The resources on which it can be granted. */
function scopeOf({ scopes: given }: Pick<TokenPermissionGroup, "scopes">): string {
  return given.map((scope) => scopes.find(([ending]) => scope.endsWith(ending))?.[1] ?? scope).join(", ");
}

/** The OpenAPI document of the server, as far as the dashboard reads it: operations by path and method. */
interface Reference {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ReferenceOperation>>>>;
}

interface ReferenceOperation {
  readonly summary: string;
  readonly "x-permission-groups"?: readonly { readonly id: string }[];
}

const openApi: ApiCall<unknown> = { method: "GET", base: "", path: "/openapi.json" };

/** The summaries of the operations that each permission group opens, by the id of the group. */
type OpenedOperations = ReadonlyMap<string, readonly string[]>;

function useOpenedOperations(): UseQueryResult<OpenedOperations, ApiError> {
  return useQuery<OpenedOperations, ApiError>({
    queryKey: ["opened operations"],
    queryFn: async ({ signal }) => openedOperations(JSON.parse(await sendForText(openApi, signal))),
    staleTime: Infinity,
  });
}

function openedOperations({ paths }: Reference): OpenedOperations {
  const opened = new Map<string, Set<string>>();
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods)))
    for (const { id } of operation["x-permission-groups"] ?? []) {
      const summaries = opened.get(id) ?? new Set();
      opened.set(id, summaries.add(operation.summary));
    }
  return new Map([...opened].map(([id, summaries]) => [id, [...summaries]]));
}
