import { Button, Card, Code, Group, List as Bullets, Stack, Text, Textarea } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";

import type { List } from "../../../../src/resources/lists/schema.ts";
import { call } from "../../api/call.ts";
import { counted } from "../../components/counted.ts";
import { CurlCommand } from "../../components/curl-command.tsx";
import { useDraft } from "../../components/drafts.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { kindTexts } from "./list-kinds.ts";
import { readPastedItems } from "./pasted-items.ts";
import { useItemChange } from "./use-items.ts";

const badShownMax = 10;

interface AddItemsProps {
  readonly accountId: string;
  readonly list: List;
}

/** Adds items that are typed or pasted, one on a line. */
export function AddItems({ accountId, list }: AddItemsProps) {
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
      <form
        onSubmit={(event) => {
          event.preventDefault();
          mutate(request);
        }}
      >
        <Stack gap="sm">
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
        </Stack>
      </form>
    </Card>
  );
}
