import { Card, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";

import { call } from "../../api/call.ts";
import { sessionQuery } from "../../api/session.ts";
import { Copied } from "../../components/copied.tsx";
import { Facts } from "../../components/facts.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { ChangePassword } from "./change-password.tsx";
import { GlobalApiKey } from "./global-api-key.tsx";

/** What the user signs in with, and the key that has all of its rights. */
export function SignInSettingsPage() {
  const { data: session } = useQuery(sessionQuery);
  return (
    <>
      <PageHeader
        title="Sign-in and key"
        of="My profile"
        calls={[{ title: "Get the user", call: call("getUser", {}) }]}
      />
      <Stack gap="lg" maw="44rem">
        <Card withBorder padding="lg">
          <Facts
            facts={{
              "E-mail": session?.user.email,
              "User id": session && <Copied value={session.user.id} what="the user id" />,
              "This session ends": <Timestamp at={session?.expires_on} />,
            }}
          />
        </Card>
        <ChangePassword />
        <GlobalApiKey />
      </Stack>
    </>
  );
}
