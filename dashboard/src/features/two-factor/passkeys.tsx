import { Anchor, Button, Card, Group, Stack, Table, Text, Title } from "@mantine/core";

import type { Passkey, TwoFactor } from "../../../../src/resources/sessions/schema.ts";
import { StatusBadge } from "../../components/status-badge.tsx";
import { Timestamp } from "../../components/timestamp.tsx";

interface PasskeysProps {
  readonly data: TwoFactor;
  readonly onAdd: () => void;
  readonly onRemove: (passkey: Passkey) => void;
}

/** The user's passkeys, and how to add one at this address. */
export function Passkeys({ data: { passkeys, passkey_origin: origin }, onAdd, onRemove }: PasskeysProps) {
  return (
    <Card withBorder padding="lg">
      <Stack gap="sm">
        <Group gap="sm">
          <Title order={2}>Passkeys</Title>
          <StatusBadge status={passkeys.length > 0 ? "on" : "off"} />
        </Group>
        <Text size="sm" c="dimmed">
          A fingerprint, a face, a PIN or a security key: no other site can ask for it.
        </Text>
        {passkeys.length > 0 && <PasskeyTable passkeys={passkeys} onRemove={onRemove} />}
        {origin === window.location.origin ? (
          <Group>
            <Button onClick={onAdd}>Add a passkey</Button>
          </Group>
        ) : (
          <Elsewhere origin={origin} />
        )}
      </Stack>
    </Card>
  );
}

function Elsewhere({ origin }: { readonly origin: string | null }) {
  if (origin === null)
    return (
      <Text size="sm">
        Browsers keep passkeys only for host names, and over HTTPS. The operator can give the server one (
        <code>public_url</code>).
      </Text>
    );
  return (
    <Text size="sm">
      Browsers keep passkeys for host names. Open the dashboard at{" "}
      <Anchor size="sm" href={`${origin}/profile/two-factor`}>
        {origin}
      </Anchor>{" "}
      to add one.
    </Text>
  );
}

function PasskeyTable({ passkeys, onRemove }: Pick<TwoFactor, "passkeys"> & Pick<PasskeysProps, "onRemove">) {
  return (
    <Table.ScrollContainer minWidth={420}>
      <Table aria-label="Passkeys">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Added</Table.Th>
            <Table.Th>Last used</Table.Th>
            <Table.Th>Actions</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {passkeys.map((passkey) => (
            <Table.Tr key={passkey.id}>
              <Table.Td>{passkey.name}</Table.Td>
              <Table.Td>
                <Timestamp at={passkey.created_on} />
              </Table.Td>
              <Table.Td>
                {passkey.last_used_on === null ? "Never" : <Timestamp at={passkey.last_used_on} />}
              </Table.Td>
              <Table.Td>
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Remove the passkey ${passkey.name}`}
                  onClick={() => onRemove(passkey)}
                >
                  Remove
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
