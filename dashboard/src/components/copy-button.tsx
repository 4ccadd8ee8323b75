import { CheckIcon, ClipboardDocumentIcon } from "@heroicons/react/24/outline";
import { ActionIcon, CopyButton as Copy, Tooltip, Group, Text } from "@mantine/core";

interface CopyButtonProps {
  readonly value: string;
  /** Names the copied text for screen readers: "the zone's id". */
  readonly what: string;
}

export function CopyButton({ value, what }: CopyButtonProps) {
  return (
    <Copy value={value}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? "Copied" : "Copy"}>
          <ActionIcon
            variant="subtle"
            color={copied ? "green" : "gray"}
            aria-label={copied ? `Copied ${what}` : `Copy ${what}`}
            onClick={copy}
          >
            {copied ? <CheckIcon width={18} aria-hidden /> : <ClipboardDocumentIcon width={18} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      )}
    </Copy>
  );
}

interface CopiedProps {
  readonly value: string;
  /** "the zone id" */
  readonly what: string;
  /** Whether all of it is shown, over several lines where it is long; else it ends with its line. */
  readonly isWhole?: boolean;
}

/** A text of machines with a button that copies it. */
export function Copied({ value, what, isWhole = false }: CopiedProps) {
  return (
    <Group gap={4} wrap="nowrap">
      <Text
        component="code"
        size="sm"
        truncate={!isWhole}
        miw={0}
        {...(isWhole && { style: { overflowWrap: "anywhere" } })}
      >
        {value}
      </Text>
      <CopyButton value={value} what={what} />
    </Group>
  );
}
