import { EyeIcon, EyeSlashIcon } from "@heroicons/react/24/outline";
import { Button, Group, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";

import { CopyButton } from "../../components/copy-button.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import type { Field, FieldWords } from "../../components/resource/field.tsx";

/** As many octets as the longest of the algorithms makes (RFC 8945 section 8). */
const secretOctets = 64;

/** A secret of the browser's own making, in base64. */
function newSecret(): string {
  return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(secretOctets))));
}

/** A secret with a button that makes one. */
export function secretField(words: FieldWords): Field<string> {
  return {
    ...words,
    control: ({ words: said, value, onChange, error, disabled }) => (
      <Group align="flex-end" gap="xs">
        <TextInput
          {...said}
          flex="1 1 16rem"
          autoComplete="off"
          spellCheck={false}
          classNames={{ input: "monospace" }}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          error={error}
          disabled={disabled}
        />
        <Button variant="default" disabled={disabled} onClick={() => onChange(newSecret())}>
          Generate
        </Button>
      </Group>
    ),
  };
}

/** A secret that is covered until somebody wants to see it. */
export function ShownSecret({ secret, of }: { readonly secret: string; readonly of: string }) {
  const [isShown, { toggle }] = useDisclosure();
  const Icon = isShown ? EyeSlashIcon : EyeIcon;
  return (
    <Group gap={4} wrap="nowrap">
      <Text
        component="code"
        size="sm"
        miw={0}
        truncate={!isShown}
        {...(isShown && { style: { overflowWrap: "anywhere" } })}
      >
        {isShown ? secret : "••••••••"}
      </Text>
      <IconButton Icon={Icon} label={`${isShown ? "Cover" : "Show"} the secret of ${of}`} onClick={toggle} />
      <CopyButton value={secret} what={`the secret of ${of}`} />
    </Group>
  );
}
