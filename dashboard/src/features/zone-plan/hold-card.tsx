import { Button, Card, Group, Stack, Switch, Text, TextInput, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";

import type { ZoneHold } from "../../../../src/resources/zone-holds/schema.ts";
import { type BodyOf, call } from "../../api/call.ts";
import { useApi, useApiMutation } from "../../api/query.ts";
import { ErrorAlert, Pending } from "../../components/error-alert.tsx";
import { Timestamp } from "../../components/timestamp.tsx";

/** Whether other accounts are kept from making a zone of the same name. */
export function HoldCard({ zoneId }: { readonly zoneId: string }) {
  const { data, error } = useApi(call("getZoneHold", { zone_id: zoneId }));
  return (
    <Card withBorder padding="lg">
      <Title order={2} mb="xs">
        Hold
      </Title>
      <Text size="sm" c="dimmed" mb="md" maw="42rem">
        While a zone is held, no other account can add one of the same name. Needs the plan Enterprise.
      </Text>
      {data === undefined ? (
        <Pending height={80} title="The hold could not be shown" error={error} />
      ) : (
        <Hold zoneId={zoneId} hold={data.result} />
      )}
    </Card>
  );
}

function Hold({ zoneId, hold }: { readonly zoneId: string; readonly hold: ZoneHold }) {
  const [until, setUntil] = useState("");
  const options = {
    onSuccess: ({ result }: { readonly result: ZoneHold }) =>
      notifications.show({
        color: "green",
        message: result.hold ? "The zone is held." : "The zone is released.",
      }),
  };
  const edit = useApiMutation(
    (body: BodyOf<"editZoneHold">) => call("editZoneHold", { zone_id: zoneId }, body),
    options,
  );
  const release = useApiMutation(
    () =>
      call(
        "deleteZoneHold",
        { zone_id: zoneId },
        { hold_after: until === "" ? "" : new Date(until).toISOString() },
      ),
    options,
  );
  return (
    <Stack>
      <Text size="sm">
        {hold.hold ? (
          <>
            Held since <Timestamp at={hold.hold_after} />.
          </>
        ) : hold.hold_after === null ? (
          "Not held."
        ) : (
          <>
            Released; held again <Timestamp at={hold.hold_after} />.
          </>
        )}
      </Text>
      <Switch
        label="Names below it are held as well"
        checked={hold.include_subdomains}
        disabled={edit.isPending}
        onChange={(event) => edit.mutate({ include_subdomains: event.currentTarget.checked })}
      />
      <Group align="flex-end">
        {hold.hold ? (
          <>
            <TextInput
              type="datetime-local"
              label="Hold it again from"
              description="Empty: it stays released"
              value={until}
              onChange={(event) => setUntil(event.currentTarget.value)}
            />
            <Button variant="default" loading={release.isPending} onClick={() => release.mutate(undefined)}>
              Release
            </Button>
          </>
        ) : (
          <Button loading={edit.isPending} onClick={() => edit.mutate({ hold_after: "" })}>
            Hold the zone
          </Button>
        )}
      </Group>
      <ErrorAlert title="The hold was not changed" error={edit.error ?? release.error} />
    </Stack>
  );
}
