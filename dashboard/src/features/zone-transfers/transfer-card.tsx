import { Button, Card, Group, Stack, Text, Title } from "@mantine/core";
import { useState, type ReactNode } from "react";

import { notConfiguredCode } from "../../api/api-error.ts";
import type { ApiCall } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { Pending } from "../../components/error-alert.tsx";
import { DeleteResource } from "../../components/resource/delete-resource.tsx";
import { ResourceForm } from "../../components/resource/resource-form.tsx";
import type { Resource } from "../../components/resource/resource.ts";

interface TransferCardProps<Row extends { readonly id: string }, Draft extends object> {
  readonly title: string;
  readonly description: string;
  /** Gets the transfer, which the zone may not have. */
  readonly call: ApiCall<Row>;
  readonly refetchMs: number;
  readonly resource: Omit<Resource<Row, Draft, unknown>, "title" | "list" | "columns" | "empty">;
  /** The role of the peers for the zone, in the plural. */
  readonly peersNoun: string;
  /** Whether the account has any. */
  readonly hasPeers: boolean;
  /** The transfer of a zone that has one; `buttons` change and delete it. */
  readonly children: (transfer: Row, buttons: ReactNode) => ReactNode;
}

/** A transfer of a zone: to choose its peers while there is none, else to show, change and delete. */
export function TransferCard<Row extends { readonly id: string }, Draft extends object>({
  title,
  description,
  call,
  refetchMs,
  resource,
  peersNoun,
  hasPeers,
  children,
}: TransferCardProps<Row, Draft>) {
  const { data, error } = useApi(call, { refetchInterval: refetchMs });
  const [opened, setOpened] = useState<"form" | "deletion">();
  const close = (): void => setOpened(undefined);
  const isMissing = error?.hasCode(notConfiguredCode) === true;
  const transfer = isMissing ? undefined : data?.result;
  return (
    <Card withBorder padding="lg">
      <Title order={2} mb="xs">
        {title}
      </Title>
      <Text size="sm" c="dimmed" mb="md" maw="42rem">
        {description}
      </Text>
      {transfer !== undefined ? (
        <Stack>
          {children(
            transfer,
            <>
              <Button variant="default" onClick={() => setOpened("form")}>
                Change the {peersNoun}
              </Button>
              <Button variant="light" color="red" onClick={() => setOpened("deletion")}>
                Delete
              </Button>
            </>,
          )}
        </Stack>
      ) : isMissing ? (
        <Group>
          <Button disabled={!hasPeers} onClick={() => setOpened("form")}>
            Choose the {peersNoun}
          </Button>
          {!hasPeers && <Text size="sm">The account has no transfer peers yet.</Text>}
        </Group>
      ) : (
        <Pending height={160} title="The transfer could not be shown" error={error} />
      )}
      {opened === "form" && <ResourceForm resource={resource} row={transfer} onDone={close} />}
      {opened === "deletion" && transfer !== undefined && (
        <DeleteResource resource={resource} row={transfer} onDone={close} />
      )}
    </Card>
  );
}
