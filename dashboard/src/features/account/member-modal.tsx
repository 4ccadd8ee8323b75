import { Button, Group, MultiSelect, Stack, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";

import { addMember, editMember, listRoles, membersPath, type Member } from "../../api/members.ts";
import { useApi, useApiMutation } from "../../api/query.ts";
import { CurlCommand } from "../../components/curl-command.tsx";
import { Draft, FormModal } from "../../components/drafts.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";

interface MemberModalProps {
  readonly accountId: string;
  /** Whose roles are changed; undefined to invite somebody. */
  readonly member: Member | undefined;
  readonly onDone: () => void;
  readonly onInvited: (invited: Member) => void;
}

/** Invites somebody to an account, or gives a member other roles. */
export function MemberModal({ accountId, member, onDone, onInvited }: MemberModalProps) {
  const [email, setEmail] = useState(member?.email ?? "");
  const [roleIds, setRoleIds] = useState(member?.roles.map(({ id }) => id) ?? []);
  const roles = useApi(listRoles(accountId));
  const call =
    member === undefined
      ? addMember(accountId, { email: email.trim(), roles: roleIds })
      : editMember(accountId, member.id, { roles: roleIds });
  const { mutate, isPending, error } = useApiMutation(() => call, {
    invalidates: [membersPath(accountId)],
    onSuccess: ({ result }) => {
      notifications.show({
        color: "green",
        message: member === undefined ? `${email} was invited.` : `${email} now has different roles.`,
      });
      if (member === undefined) onInvited(result);
      onDone();
    },
  });
  const isWhole = email.trim() !== "" && roleIds.length > 0;
  return (
    <FormModal
      opened
      onClose={onDone}
      title={member === undefined ? "Invite a member" : `Roles of ${member.email}`}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          mutate(undefined);
        }}
      >
        <Draft
          isChanged={
            email !== (member?.email ?? "") ||
            roleIds.join() !== (member?.roles.map(({ id }) => id) ?? []).join()
          }
        />
        <Stack>
          {member === undefined && (
            <TextInput
              label="E-mail"
              type="email"
              description="The user who signs in with this address can accept or reject the invite."
              required
              withAsterisk={false}
              data-autofocus
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
              error={error?.about("/email")}
            />
          )}
          <MultiSelect
            label="Roles"
            placeholder={roleIds.length === 0 ? "Choose roles" : ""}
            searchable
            data={(roles.data?.result ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            value={roleIds}
            onChange={setRoleIds}
          />
          <ErrorAlert title="The roles could not be listed" error={roles.error} />
          {isWhole && <CurlCommand call={call} />}
          <ErrorAlert title="Nothing was changed" error={error} saidAt={["/email"]} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onDone}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending} disabled={!isWhole}>
              {member === undefined ? "Invite" : "Save"}
            </Button>
          </Group>
        </Stack>
      </form>
    </FormModal>
  );
}
