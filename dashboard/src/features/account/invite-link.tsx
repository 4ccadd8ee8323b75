import { Button, Code, Group, Stack, Text } from "@mantine/core";

import type { Member } from "../../../../src/resources/memberships/schema.ts";
import { call } from "../../api/call.ts";
import { useApiMutation } from "../../api/query.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { SecretModal } from "../../components/secret-modal.tsx";

interface InviteLinkProps {
  readonly accountId: string;
  readonly member: Member;
  readonly onDone: () => void;
}

/** The link to hand over to somebody who is invited: the server sends no e-mail. */
export function InviteLink({ accountId, member: { id, email, user }, onDone }: InviteLinkProps) {
  const { mutate, data, isPending, error } = useApiMutation(() =>
    call("createInviteLink", { account_id: accountId, member_id: id }),
  );
  const title = `Link for ${email}`;
  if (data !== undefined)
    return (
      <SecretModal title={title} onSaved={onDone}>
        <Text size="sm">
          Hand this link over. Whoever opens it chooses a password, and is a member as {email}. It works once,
          and ends with the invite.
        </Text>
        <LinkText link={`${window.location.origin}/invite#${data.result.token}`} />
      </SecretModal>
    );
  const isByHand = user.id !== null || error !== null;
  return (
    <Dialog opened onClose={onDone} title={title} size="lg">
      <Stack>
        {user.id === null && (
          <Text size="sm">
            No e-mail is sent: make a link and hand it over. {email} chooses a password by it and becomes a
            member. A link from before stops working.
          </Text>
        )}
        <ErrorAlert title="No link was made" error={error} />
        {isByHand && (
          <>
            <Text size="sm">
              {user.id === null && (
                <>
                  The operator of the server can make the user:{" "}
                  <Code>zoneward user create --email {email}</Code>.{" "}
                </>
              )}
              Whoever signs in here as {email} accepts or rejects the invite:
            </Text>
            <LinkText link={`${window.location.origin}/profile/memberships`} />
          </>
        )}
        <Group justify="flex-end">
          <Button variant={isByHand ? "filled" : "default"} onClick={onDone}>
            {isByHand ? "Done" : "Not now"}
          </Button>
          {!isByHand && (
            <Button loading={isPending} onClick={() => mutate(undefined)}>
              Make a link
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

function LinkText({ link }: { readonly link: string }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Code block flex={1} tabIndex={0} role="region" aria-label="Link">
        {link}
      </Code>
      <CopyButton value={link} what="the link" />
    </Group>
  );
}
