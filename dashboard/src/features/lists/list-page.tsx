import { useAccountOfPage } from "../../components/account-of-page.ts";
import {
  Badge,
  Button,
  Group,
  Skeleton,
  Stack,
  Text,
  Card,
  Code,
  List as Bullets,
  Textarea,
} from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";

import type { List } from "../../../../src/resources/lists/schema.ts";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { DataTable, EmptyList, type Column } from "../../components/data-table.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { SearchInput } from "../../components/search-input.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { itemText, kindTexts } from "./list-kinds.ts";
import { type ListItem, useItemChange, useItems } from "./use-items.ts";
import { counted } from "../../components/counted.ts";
import { CurlCommand } from "../../components/curl-command.tsx";
import { useDraft } from "../../components/drafts.tsx";
import { readPastedItems } from "./pasted-items.ts";
import { Form } from "../../components/form.tsx";

const route = getRouteApi("/shell/accounts/$accountId/rules/lists/$listId");

export function ListPage() {
  const { accountId, listId } = route.useParams();
  const { account } = useAccountOfPage();
  const { data, error, refetch } = useApi(call("getList", { account_id: accountId, list_id: listId }));
  const list = data?.result;
  return (
    <>
      <PageHeader
        title={list === undefined ? "List" : `$${list.name}`}
        of={account && `${account.name} › Lists`}
        aside={
          list !== undefined && (
            <Badge variant="light" color="gray" tt="none">
              {kindTexts[list.kind].title}
            </Badge>
          )
        }
        description={list?.description}
        calls={[
          {
            title: "List the items",
            call: call("listListItems", { account_id: accountId, list_id: listId }, { per_page: 100 }),
          },
          {
            title: "Add items",
            call: call("createListItems", { account_id: accountId, list_id: listId }, [{ ip: "192.0.2.1" }]),
          },
        ]}
      />
      {error !== null && list === undefined ? (
        <ErrorAlert title="The list could not be shown" error={error} onRetry={() => void refetch()} />
      ) : list === undefined ? (
        <Skeleton height={280} radius="md" />
      ) : (
        <Stack gap="md">
          <AddItems accountId={accountId} list={list} />
          <Items accountId={accountId} list={list} />
        </Stack>
      )}
    </>
  );
}

interface ItemsProps {
  readonly accountId: string;
  readonly list: List;
}

const noSelection: ReadonlySet<string> = new Set();

function Items({ accountId, list }: ItemsProps) {
  const { search } = route.useSearch();
  const navigate = route.useNavigate();
  const items = useItems(accountId, list.id, search);
  const [selected, setSelected] = useState(noSelection);
  const removal = useItemChange(accountId, () => {
    notifications.show({ message: `${selected.size === 1 ? "The item was" : "The items were"} removed.` });
    setSelected(noSelection);
  });
  const rows = items.data?.pages.flatMap(({ result }) => result);
  return (
    <Stack gap="xs">
      <Group>
        <SearchInput
          label="Search the items"
          value={search ?? ""}
          onSearch={(text) => void navigate({ search: { search: text || undefined }, replace: true })}
        />
      </Group>
      <DataTable
        label="Items"
        query={{
          data: rows && { result: rows, messages: [] },
          error: items.error,
          isPlaceholderData: items.isPlaceholderData,
          refetch: items.refetch,
        }}
        rowId={({ id }) => id}
        columns={list.kind === "redirect" ? redirectColumns : columns}
        isDense
        selection={{ ids: selected, onSelect: setSelected, nameOf: (item) => `item ${itemText(item)}` }}
        before={
          <>
            {selected.size > 0 && (
              <Group px="md" py="xs" gap="sm">
                <Text size="sm">{selected.size} selected</Text>
                <Button
                  size="xs"
                  color="red"
                  loading={removal.isPending}
                  onClick={() =>
                    removal.mutate(
                      call(
                        "deleteListItems",
                        { account_id: accountId, list_id: list.id },
                        { items: [...selected].map((id) => ({ id })) },
                      ),
                    )
                  }
                >
                  Remove from the list
                </Button>
                <Button size="xs" variant="default" onClick={() => setSelected(noSelection)}>
                  Clear the selection
                </Button>
              </Group>
            )}
            <ErrorAlert title="The items were not removed" error={removal.error} />
          </>
        }
        empty={<EmptyList title={search === undefined ? "No items yet" : "No item matches"} />}
      />
      {items.hasNextPage && (
        <Group justify="center">
          <Button
            variant="default"
            loading={items.isFetchingNextPage}
            onClick={() => void items.fetchNextPage()}
          >
            Show more
          </Button>
        </Group>
      )}
    </Stack>
  );
}

const rest: readonly Column<ListItem>[] = [
  { key: "comment", header: "Comment", cell: ({ comment }) => comment },
  {
    key: "changed",
    header: "Changed",
    width: "9rem",
    cell: ({ modified_on: at }) => <Timestamp at={at} />,
  },
];

const columns: readonly Column<ListItem>[] = [
  { key: "item", header: "Item", cell: (item) => <span className="monospace">{itemText(item)}</span> },
  ...rest,
];

const redirectColumns: readonly Column<ListItem>[] = [
  { key: "source", header: "Source", cell: (item) => "redirect" in item && item.redirect.source_url },
  { key: "target", header: "Target", cell: (item) => "redirect" in item && item.redirect.target_url },
  {
    key: "status",
    header: "Status",
    width: "5rem",
    cell: (item) => "redirect" in item && item.redirect.status_code,
  },
  ...rest,
];

const badShownMax = 10;

interface AddItemsProps {
  readonly accountId: string;
  readonly list: List;
}

/** Adds items that are typed or pasted, one on a line. */
function AddItems({ accountId, list }: AddItemsProps) {
  const [text, setText] = useState("");
  const { line, example } = kindTexts[list.kind];
  const { items, bad } = readPastedItems(list.kind, text);
  const request = call("createListItems", { account_id: accountId, list_id: list.id }, items);
  const { mutate, isPending, error } = useItemChange(accountId, () => {
    notifications.show({ message: `${counted(items.length, "item")} added.` });
    setText("");
  });
  useDraft(text.trim() !== "");
  return (
    <Card withBorder padding="lg">
      <Form gap="sm" onSend={() => mutate(request)}>
        <Textarea
          label="Add items"
          description={`One on a line: ${line}. Items that are there already are replaced.`}
          placeholder={example}
          autosize
          minRows={3}
          maxRows={14}
          spellCheck={false}
          autoCapitalize="none"
          classNames={{ input: "monospace" }}
          data-shortcut="n"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {bad.length > 0 && (
          <div role="status">
            <Text size="sm" c="var(--mantine-color-error)">
              {bad.length === 1 ? "A line is no item:" : `${bad.length} lines are no items:`}
            </Text>
            <Bullets size="sm" listStyleType="none" withPadding={false}>
              {bad.slice(0, badShownMax).map(({ line: place, text: said, reason }) => (
                <Bullets.Item key={place}>
                  Line {place}: <Code>{said}</Code> {reason}
                </Bullets.Item>
              ))}
            </Bullets>
          </div>
        )}
        {items.length > 0 && items.length <= 3 && <CurlCommand call={request} />}
        <ErrorAlert title="The items were not added" error={error} />
        <Group justify="flex-end">
          <Button type="submit" loading={isPending} disabled={items.length === 0 || bad.length > 0}>
            {items.length === 0 ? "Add" : `Add ${counted(items.length, "item")}`}
          </Button>
        </Group>
      </Form>
    </Card>
  );
}
