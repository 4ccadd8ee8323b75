import { Button, Group, SimpleGrid, Text } from "@mantine/core";

import { CopyButton } from "../../components/copy-button.tsx";
import { downloadText } from "../../components/download-text.ts";
import { SecretModal } from "../../components/secret-modal.tsx";

/** Shows new recovery codes, once. */
export function RecoveryCodes({ codes, onSaved }: { codes: readonly string[]; onSaved: () => void }) {
  const text = codes.join("\n");
  return (
    <SecretModal title="Your recovery codes" onSaved={onSaved}>
      <Text size="sm">
        Each of them signs you in once, with your password, where you do not have your second factor. They are
        shown only now: keep them where you keep your passwords.
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" data-testid="recovery-codes">
        {codes.map((code) => (
          <Text key={code} component="code" className="monospace">
            {code}
          </Text>
        ))}
      </SimpleGrid>
      <Group gap="xs">
        <CopyButton value={text} what="the recovery codes" />
        <Button
          size="xs"
          variant="default"
          onClick={() => downloadText("zoneward-recovery-codes.txt", `${text}\n`)}
        >
          Download
        </Button>
      </Group>
    </SecretModal>
  );
}
