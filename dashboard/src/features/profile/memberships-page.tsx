import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { useMemo, useState } from "react";

import type { Invite, Membership } from "../../../../src/resources/memberships/schema.ts";
import { call, wholeList } from "../../api/call.ts";
import { useApi, useApiMutation } from "../../api/query.ts";
import { ConfirmCall } from "../../components/confirm-modal.tsx";
import { DataTable, EmptyList, type Column } from "../../components/data-table.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { AnchorLink } from "../../components/links.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { Timestamp } from "../../components/timestamp.tsx";

const inviteColumns: readonly Column<Invite>[] = [
  {
    key: "account",
    header: "Account",
    cell: ({ organization_name }) => (
      <Text size="sm" fw={500}>
        {organization_name}
      </Text>
    ),
  },
  { key: "roles", header: "Roles", cell: ({ roles }) => roles.map(({ name }) => name).join(", ") },
  { key: "by", header: "Invited by", cell: ({ invited_by }) => invited_by ?? "A token of the account" },
  { key: "expires", header: "Expires", cell: ({ expires_on }) => <Timestamp at={expires_on} /> },
  {
    key: "answer",
    header: "Answer",
    isActions: true,
    cell: (invite) =>
      invite.status === "pending" ? <AnswerInvite invite={invite} /> : <StatusBadge status={invite.status} />,
  },
];

/** The accounts that the user is invited to, and those that it is a member of. */
export function MembershipsPage() {
  const [left, setLeft] = useState<Membership>();
  const invites = useApi(call("listInvites", {}));
  const memberships = useApi(call("listMemberships", {}, wholeList));
  const columns = useMemo(() => membershipColumns(setLeft), []);
  return (
    <>
      <PageHeader
        title="Memberships"
        calls={[
          { title: "List the invites", call: call("listInvites", {}) },
          {
            title: "Accept an invite",
            call: call("editInvite", { invite_id: "INVITE_ID" }, { status: "accepted" }),
          },
          { title: "List the memberships", call: call("listMemberships", {}, wholeList) },
        ]}
      />
      <Stack gap="xl">
        <section>
          <Title order={2} mb="sm">
            Invites
          </Title>
          <DataTable
            label="Invites"
            query={invites}
            columns={inviteColumns}
            rowId={({ id }) => id}
            empty={<EmptyList title="No invites" />}
          />
        </section>
        <section>
          <Title order={2} mb="sm">
            Accounts
          </Title>
          <DataTable
            label="Memberships"
            query={memberships}
            columns={columns}
            rowId={({ id }) => id}
            empty={<EmptyList title="You are not a member of any account" />}
          />
        </section>
      </Stack>
      {left !== undefined && <Leave membership={left} onDone={() => setLeft(undefined)} />}
    </>
  );
}

function AnswerInvite({ invite }: { readonly invite: Invite }) {
  const { mutate, isPending, error } = useApiMutation(
    (status: "accepted" | "rejected") => call("editInvite", { invite_id: invite.id }, { status: status }),
    { invalidates: [call("listMemberships", {}), call("listAccounts", {}), call("listZones", {})] },
  );
  return (
    <Stack gap="xs">
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        <Button size="xs" variant="default" loading={isPending} onClick={() => mutate("rejected")}>
          Reject
        </Button>
        <Button size="xs" loading={isPending} onClick={() => mutate("accepted")}>
          Accept
        </Button>
      </Group>
      <ErrorAlert error={error} />
    </Stack>
  );
}

function membershipColumns(onLeave: (membership: Membership) => void): readonly Column<Membership>[] {
  return [
    {
      key: "account",
      header: "Account",
      cell: ({ account: { id, name }, status }) =>
        status === "accepted" ? (
          <AnchorLink size="sm" fw={500} to="/accounts/$accountId/members" params={{ accountId: id }}>
            {name}
          </AnchorLink>
        ) : (
          <Text size="sm" fw={500}>
            {name}
          </Text>
        ),
    },
    { key: "roles", header: "Roles", cell: ({ roles }) => roles.join(", ") },
    { key: "status", header: "Status", width: "8rem", cell: ({ status }) => <StatusBadge status={status} /> },
    {
      key: "leave",
      header: "Leave",
      width: "7rem",
      isActions: true,
      cell: (membership) => (
        <Button
          size="xs"
          variant="subtle"
          color="red"
          aria-label={`Leave ${membership.account.name}`}
          onClick={() => onLeave(membership)}
        >
          Leave
        </Button>
      ),
    },
  ];
}

function Leave({ membership, onDone }: { readonly membership: Membership; readonly onDone: () => void }) {
  return (
    <ConfirmCall
      call={call("deleteMembership", { membership_id: membership.id })}
      invalidates={[call("listAccounts", {}), call("listZones", {})]}
      onClose={onDone}
      title={`Leave ${membership.account.name}`}
      action="Leave"
    >
      You and your tokens lose access to the account at once. You need a new invite to return.
    </ConfirmCall>
  );
}
