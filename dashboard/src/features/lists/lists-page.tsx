import { useAccountOfPage } from "../../components/account-of-page.ts";
import { PlusIcon } from "@heroicons/react/24/outline";
import { Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useState } from "react";

import type { List } from "../../../../src/resources/lists/schema.ts";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { ConfirmCall } from "../../components/confirm-modal.tsx";
import { counted } from "../../components/counted.ts";
import { DataTable, EmptyList, type Column } from "../../components/data-table.tsx";
import { RemoveButton } from "../../components/icon-button.tsx";
import { AnchorLink, ButtonLink } from "../../components/links.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { AddList } from "./add-list.tsx";
import { kindTexts } from "./list-kinds.ts";

/** The lists of an account, which expressions name. */
export function ListsPage() {
  const { accountId, account } = useAccountOfPage();
  const lists = useApi(call("listLists", { account_id: accountId }));
  const [isAdding, adding] = useDisclosure();
  const [deleted, setDeleted] = useState<List>();
  return (
    <>
      <PageHeader
        title="Lists"
        of={account?.name}
        description="Addresses, host names, AS numbers and redirects. Expressions name a list as $name; rules of bulk redirects execute one."
        calls={[
          { title: "List the lists", call: call("listLists", { account_id: accountId }) },
          {
            title: "Add a list",
            call: call("createList", { account_id: accountId }, { name: "office", kind: "ip" }),
          },
        ]}
      >
        <ButtonLink
          variant="default"
          to="/accounts/$accountId/rules/$ruleset"
          params={{ accountId, ruleset: "http_request_redirect" }}
        >
          Bulk redirects
        </ButtonLink>
        <Button leftSection={<PlusIcon width={18} aria-hidden />} onClick={adding.open} data-shortcut="n">
          Add a list
        </Button>
      </PageHeader>
      <DataTable
        label="Lists"
        query={lists}
        rowId={({ id }) => id}
        columns={columns(accountId, setDeleted)}
        empty={<EmptyList title="No lists yet">A list is named once, and used by many rules.</EmptyList>}
      />
      {isAdding && <AddList accountId={accountId} onClose={adding.close} />}
      {deleted !== undefined && (
        <DeleteList accountId={accountId} list={deleted} onDone={() => setDeleted(undefined)} />
      )}
    </>
  );
}

const number = new Intl.NumberFormat();

function columns(accountId: string, onDelete: (list: List) => void): readonly Column<List>[] {
  return [
    {
      key: "name",
      header: "List",
      cell: ({ id, name, description }) => (
        <>
          <AnchorLink
            size="sm"
            fw={500}
            className="monospace"
            to="/accounts/$accountId/rules/lists/$listId"
            params={{ accountId, listId: id }}
          >
            ${name}
          </AnchorLink>
          {description !== undefined && (
            <Text size="sm" c="dimmed">
              {description}
            </Text>
          )}
        </>
      ),
    },
    { key: "kind", header: "Kind", width: "9rem", cell: ({ kind }) => kindTexts[kind].title },
    { key: "items", header: "Items", width: "7rem", cell: ({ num_items: items }) => number.format(items) },
    {
      key: "uses",
      header: "Used by",
      width: "8rem",
      cell: ({ num_referencing_filters: uses }) => (uses === 0 ? "no rules" : counted(uses, "rule")),
    },
    {
      key: "changed",
      header: "Changed",
      width: "9rem",
      cell: ({ modified_on: at }) => <Timestamp at={at} />,
    },
    {
      key: "actions",
      header: "Actions",
      width: "4rem",
      isActions: true,
      cell: (list) => <RemoveButton label={`Delete the list ${list.name}`} onClick={() => onDelete(list)} />,
    },
  ];
}

interface DeleteListProps {
  readonly accountId: string;
  readonly list: List;
  readonly onDone: () => void;
}

function DeleteList({ accountId, list, onDone }: DeleteListProps) {
  return (
    <ConfirmCall
      call={call("deleteList", { account_id: accountId, list_id: list.id })}
      removes={[call("getList", { account_id: accountId, list_id: list.id })]}
      onSuccess={() => {
        notifications.show({ message: `The list ${list.name} was deleted.` });
        onDone();
      }}
      onClose={onDone}
      title="Delete the list"
      action="Delete"
      {...(list.num_items > 0 && { typed: list.name })}
    >
      {list.name} goes with its {counted(list.num_items, "item")}.
    </ConfirmCall>
  );
}
