import { Alert, Group, Stack, Text, Title } from "@mantine/core";

import { call } from "../../api/call.ts";
import { CopyButton } from "../../components/copy-button.tsx";
import { CurlCommand } from "../../components/curl-command.tsx";
import { useDraft } from "../../components/drafts.tsx";
import { useTokenOwner } from "./token-owner.ts";
import classes from "./secret-card.module.css";

const ofSecret = {
  title: "Leave without the secret?",
  keep: "Stay here",
  text: "The secret is shown this once. Whoever has not saved it has to roll the token.",
};

/** The secret of a token, shown this once, and how to try it. Leaving the page asks first. */
export function SecretCard({ secret }: { readonly secret: string }) {
  useDraft(true, ofSecret);
  const { owner } = useTokenOwner();
  return (
    <Stack>
      <Alert color="yellow" title="This secret is shown once" styles={{ title: { fontWeight: 600 } }}>
        It is not stored and cannot be shown again. Keep it in a safe place, not in e-mails and repositories.
      </Alert>
      <Group gap="xs" wrap="nowrap" className={classes.secret ?? ""}>
        <Text component="code" size="sm" flex={1} data-testid="token-secret">
          {secret}
        </Text>
        <CopyButton value={secret} what="the secret" />
      </Group>
      <div>
        <Title order={2} size="sm" mb={6}>
          Try it
        </Title>
        <CurlCommand call={call("verifyToken", owner)} token={secret} />
      </div>
    </Stack>
  );
}
