import { Button, Code, Group, Modal, Stack, Text } from "@mantine/core";

import { CopyButton } from "../../components/copy-button.tsx";

interface InviteLinkProps {
  readonly email: string;
  readonly onDone: () => void;
}

/** The link by which somebody who is invited accepts, to be handed over: the server sends no e-mail. */
export function InviteLink({ email, onDone }: InviteLinkProps) {
  const link = `${window.location.origin}/profile/memberships`;
  return (
    <Modal opened onClose={onDone} title={`Link for ${email}`} size="lg">
      <Stack>
        <Text size="sm">
          No e-mail is sent: hand this link over. Whoever signs in there as {email} accepts or rejects the
          invite. It ends after a week.
        </Text>
        <Group gap="xs" wrap="nowrap">
          <Code block flex={1} tabIndex={0} role="region" aria-label="Link">
            {link}
          </Code>
          <CopyButton value={link} what="the link" />
        </Group>
        <Text size="sm" c="dimmed">
          Somebody without a user here gets one from the operator of the server first:{" "}
          <Code>zoneward user create --email {email}</Code>
        </Text>
        <Group justify="flex-end">
          <Button onClick={onDone}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
