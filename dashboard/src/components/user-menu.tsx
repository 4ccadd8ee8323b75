import { ArrowRightStartOnRectangleIcon, BookOpenIcon, UserCircleIcon } from "@heroicons/react/24/outline";
import { ActionIcon, Menu, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";

import { call } from "../api/call.ts";
import { send } from "../api/send.ts";
import { sessionQuery } from "../api/session.ts";

/** Who is signed in, the API's reference, and the way out. */
export function UserMenu() {
  const { data: session } = useQuery(sessionQuery);
  const client = useQueryClient();
  const navigate = useNavigate();
  const leave = async (): Promise<void> => {
    // A session that is gone already is what was asked for.
    await send(call("signOut", {})).catch(() => undefined);
    client.clear();
    await navigate({ to: "/sign-in" });
  };
  return (
    <Menu position="bottom-end" width={240} withinPortal={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Account of the signed-in user">
          <UserCircleIcon width={22} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          Signed in as
          <Text component="span" display="block" size="sm" fw={500} truncate>
            {session?.user.email}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item component="a" href="/docs" leftSection={<BookOpenIcon width={18} aria-hidden />}>
          API reference
        </Menu.Item>
        <Menu.Item
          leftSection={<ArrowRightStartOnRectangleIcon width={18} aria-hidden />}
          onClick={() => void leave()}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
