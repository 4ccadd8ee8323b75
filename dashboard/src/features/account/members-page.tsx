import { useAccountOfPage } from "../../components/account-of-page.ts";
import { LinkIcon, PencilSquareIcon, PlusIcon } from "@heroicons/react/24/outline";
import { Button, Group, Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo, useState } from "react";

import type { Member } from "../../../../src/resources/memberships/schema.ts";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { ConfirmCall } from "../../components/confirm-modal.tsx";
import { DataTable, EmptyList, type Column } from "../../components/data-table.tsx";
import { IconButton, RemoveButton } from "../../components/icon-button.tsx";
import type { ListSearch } from "../../components/list-search.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { InviteLink } from "./invite-link.tsx";
import { MemberModal } from "./member-modal.tsx";
import { rightsText } from "./member-rights.ts";

const route = getRouteApi("/shell/accounts/$accountId/members");

export function MembersPage() {
  const { accountId, account } = useAccountOfPage();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [edited, setEdited] = useState<Member | "new">();
  const [removed, setRemoved] = useState<Member>();
  const [linked, setLinked] = useState<Member>();
  const request = call(
    "listMembers",
    { account_id: accountId },
    { page: search.page ?? 1, per_page: search.per_page ?? 20 },
  );
  const members = useApi(request);
  const columns = useMemo(() => memberColumns(accountId, setEdited, setRemoved, setLinked), [accountId]);
  const show = (change: ListSearch): void => void navigate({ search: { ...search, ...change } });
  return (
    <>
      <PageHeader
        title="Members"
        of={account?.name}
        calls={[
          { title: "List the members", call: request },
          {
            title: "Invite a member",
            call: call(
              "addMember",
              { account_id: accountId },
              { email: "dora@example.com", roles: ["ROLE_ID"] },
            ),
          },
          {
            title: "Make the link of an invite",
            call: call("createInviteLink", { account_id: accountId, member_id: "MEMBER_ID" }),
          },
        ]}
      >
        <Button leftSection={<PlusIcon width={18} aria-hidden />} onClick={() => setEdited("new")}>
          Invite a member
        </Button>
      </PageHeader>
      <DataTable
        label="Members"
        query={members}
        columns={columns}
        rowId={({ id }) => id}
        onPage={show}
        empty={<EmptyList title="No members" />}
      />
      {edited !== undefined && (
        <MemberModal
          accountId={accountId}
          member={edited === "new" ? undefined : edited}
          onDone={() => setEdited(undefined)}
          onInvited={setLinked}
        />
      )}
      {linked !== undefined && (
        <InviteLink accountId={accountId} member={linked} onDone={() => setLinked(undefined)} />
      )}
      {removed !== undefined && (
        <RemoveMember accountId={accountId} member={removed} onDone={() => setRemoved(undefined)} />
      )}
    </>
  );
}

function memberColumns(
  accountId: string,
  onEdit: (member: Member) => void,
  onRemove: (member: Member) => void,
  onLink: (member: Member) => void,
): readonly Column<Member>[] {
  return [
    {
      key: "email",
      header: "Member",
      cell: ({ email, user: { first_name, last_name } }) => (
        <>
          <Text size="sm" fw={500}>
            {email}
          </Text>
          <Text size="xs" c="dimmed">
            {[first_name, last_name].filter(Boolean).join(" ")}
          </Text>
        </>
      ),
    },
    {
      key: "roles",
      header: "Roles",
      cell: (member) => rightsText(member, accountId),
    },
    { key: "status", header: "Status", width: "8rem", cell: ({ status }) => <StatusBadge status={status} /> },
    {
      key: "actions",
      header: "Actions",
      width: "7.5rem",
      isActions: true,
      cell: (member) => (
        <Group gap={4} justify="flex-end" wrap="nowrap">
          {member.status === "pending" && (
            <IconButton
              Icon={LinkIcon}
              label={`Link of the invite of ${member.email}`}
              onClick={() => onLink(member)}
            />
          )}
          <IconButton
            Icon={PencilSquareIcon}
            label={`Change the roles of ${member.email}`}
            onClick={() => onEdit(member)}
          />
          <RemoveButton label={`Remove ${member.email}`} onClick={() => onRemove(member)} />
        </Group>
      ),
    },
  ];
}

interface RemoveMemberProps {
  readonly accountId: string;
  readonly member: Member;
  readonly onDone: () => void;
}

function RemoveMember({ accountId, member, onDone }: RemoveMemberProps) {
  return (
    <ConfirmCall
      call={call("removeMember", { account_id: accountId, member_id: member.id })}
      onClose={onDone}
      title={`Remove ${member.email}`}
      action="Remove"
    >
      {member.status === "accepted"
        ? "The user and the user's tokens lose access to the account at once."
        : "The invite is withdrawn."}
    </ConfirmCall>
  );
}
