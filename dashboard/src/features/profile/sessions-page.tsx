import { Button, Group, Text } from "@mantine/core";
import { useMemo, useState } from "react";

import type { OwnSession } from "../../../../src/resources/sessions/schema.ts";
import { call } from "../../api/call.ts";
import { useApi, useApiMutation } from "../../api/query.ts";
import { ConfirmModal } from "../../components/confirm-modal.tsx";
import { DataTable, EmptyList, type Column } from "../../components/data-table.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { showDone } from "../../components/notices.tsx";

export function SessionsPage() {
  const { data, error, refetch } = useApi(call("listOwnSessions", {}));
  const [ended, setEnded] = useState<OwnSession | "others">();
  const columns = useMemo(() => sessionColumns(setEnded), []);
  const others = data?.result.filter(({ is_current }) => !is_current).length ?? 0;
  return (
    <>
      <PageHeader
        title="Sessions"
        of="My profile"
        description="The browsers in which you are signed in. A session that you do not know: end it, and change the password."
        calls={[]}
      >
        <Button color="red" disabled={others === 0} onClick={() => setEnded("others")}>
          Sign out everywhere else
        </Button>
      </PageHeader>
      <DataTable
        label="Sessions"
        query={{ data, error, isPlaceholderData: false, refetch }}
        columns={columns}
        rowId={({ id }) => id}
        empty={<EmptyList title="No sessions" />}
      />
      {ended !== undefined && (
        <EndSessions ended={ended} others={others} onDone={() => setEnded(undefined)} />
      )}
    </>
  );
}

function sessionColumns(onEnd: (session: OwnSession) => void): readonly Column<OwnSession>[] {
  return [
    {
      key: "address",
      header: "Signed in from",
      cell: ({ address, is_current }) => (
        <Group gap="xs">
          <Text size="sm" fw={500}>
            {address ?? "Not known"}
          </Text>
          {is_current && <StatusBadge status="this browser" />}
        </Group>
      ),
    },
    {
      key: "started",
      header: "Began",
      width: "10rem",
      cell: ({ started_on }) => <Timestamp at={started_on} />,
    },
    { key: "used", header: "Last used", width: "10rem", cell: ({ used_on }) => <Timestamp at={used_on} /> },
    {
      key: "expires",
      header: "Ends",
      width: "10rem",
      cell: ({ expires_on }) => <Timestamp at={expires_on} />,
    },
    {
      key: "actions",
      header: "Actions",
      width: "7rem",
      isActions: true,
      cell: (session) =>
        !session.is_current && (
          <Button size="xs" variant="default" onClick={() => onEnd(session)}>
            Sign out
          </Button>
        ),
    },
  ];
}

interface EndSessionsProps {
  /** One session, or all but the one of this browser. */
  readonly ended: OwnSession | "others";
  readonly others: number;
  readonly onDone: () => void;
}

function EndSessions({ ended, others, onDone }: EndSessionsProps) {
  const { mutate, isPending, error } = useApiMutation(
    () => call("endOtherSessions", {}, ended === "others" ? {} : { id: ended.id }),
    {
      onSuccess: ({ result: { ended: count } }) => {
        showDone(count === 1 ? "One session was ended." : `${count} sessions were ended.`);
        onDone();
      },
    },
  );
  return (
    <ConfirmModal
      opened
      onClose={onDone}
      title={ended === "others" ? "Sign out everywhere else" : "Sign out another browser"}
      action="Sign out"
      pending={isPending}
      error={error}
      onConfirm={() => mutate(undefined)}
    >
      {ended === "others"
        ? `The other ${others === 1 ? "session ends" : `${others} sessions end`} at once. This browser stays signed in.`
        : `The session from ${ended.address ?? "an address that is not known"} ends at once.`}
    </ConfirmModal>
  );
}
