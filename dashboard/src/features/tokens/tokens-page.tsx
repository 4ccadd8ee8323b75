import { PlusIcon } from "@heroicons/react/24/outline";
import { Group, Switch, Text } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";

import type { Token } from "../../../../src/resources/tokens/schema.ts";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { DataTable, EmptyList, type Column } from "../../components/data-table.tsx";
import { AnchorLink, ButtonLink } from "../../components/links.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import type { TokensSearch } from "./search.ts";
import { TokenActions } from "./token-actions.tsx";
import { tokenAddress, useTokenOwner } from "./token-owner.ts";

/** The permissions of a token, in a few words. */
function permissionsText({ policies }: Token): string {
  const names = [
    ...new Set(policies.flatMap(({ permission_groups }) => permission_groups.map(({ name }) => name))),
  ];
  return names.length > 3 ? `${names.slice(0, 2).join(", ")} and ${names.length - 2} more` : names.join(", ");
}

const columnsOf = (page: string): readonly Column<Token>[] => [
  {
    key: "name",
    header: "Name",
    cell: ({ id, name }) => (
      <AnchorLink fw={600} size="sm" to={tokenAddress(page, id)}>
        {name}
      </AnchorLink>
    ),
  },
  {
    key: "permissions",
    header: "Permissions",
    cell: (token) => <Text size="sm">{permissionsText(token)}</Text>,
  },
  { key: "status", header: "Status", width: "7rem", cell: ({ status }) => <StatusBadge status={status} /> },
  {
    key: "used",
    header: "Last used",
    width: "9rem",
    cell: ({ last_used_on }) => (last_used_on === null ? "Never" : <Timestamp at={last_used_on} />),
  },
  {
    key: "expires",
    header: "Expires",
    width: "9rem",
    cell: ({ expires_on }) => (expires_on === undefined ? "Never" : <Timestamp at={expires_on} />),
  },
  {
    key: "actions",
    header: "Actions",
    width: "4rem",
    isActions: true,
    cell: (token) => <TokenActions token={token} />,
  },
];

const exampleId = "TOKEN_ID";

export function TokensPage() {
  const { owner, page, permissionsPage, accountId, name } = useTokenOwner();
  const search: TokensSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const columns = useMemo(() => columnsOf(page), [page]);
  const show = (change: TokensSearch): void => void navigate({ to: page, search: { ...search, ...change } });
  const request = call("listTokens", owner, {
    page: search.page ?? 1,
    per_page: search.per_page ?? 20,
    include_expired: search.expired ?? false,
  });
  const tokens = useApi(request);
  const newToken = (
    <ButtonLink
      leftSection={<PlusIcon width={18} aria-hidden />}
      to={tokenAddress(page, "new")}
      data-shortcut="n"
    >
      Create a token
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title="API tokens"
        of={name}
        description={
          accountId === undefined
            ? "Tools and scripts call the API with tokens. Give each only the rights that it needs."
            : "Tokens of the account belong to nobody in particular: they stay when members leave."
        }
        calls={[
          { title: "List the tokens", call: request },
          { title: "Roll a secret", call: call("rollToken", { ...owner, token_id: exampleId }) },
          { title: "Delete a token", call: call("deleteToken", { ...owner, token_id: exampleId }) },
        ]}
      >
        {newToken}
      </PageHeader>
      <Group mb="md">
        <Switch
          label="Show expired tokens"
          checked={search.expired ?? false}
          onChange={(event) => show({ expired: event.currentTarget.checked || undefined, page: undefined })}
        />
        <AnchorLink size="sm" underline="always" to={permissionsPage}>
          What each permission lets do
        </AnchorLink>
      </Group>
      <DataTable
        label="API tokens"
        query={tokens}
        columns={columns}
        rowId={({ id }) => id}
        onPage={show}
        empty={
          <EmptyList title="No tokens yet">
            <Text size="sm" mb="md">
              A token calls the API in {accountId === undefined ? "your name" : "the name of the account"},
              with the permissions that you give it.
            </Text>
            {newToken}
          </EmptyList>
        }
      />
    </>
  );
}
