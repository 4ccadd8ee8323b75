import { CheckIcon, ClipboardDocumentIcon } from "@heroicons/react/24/outline";
import { ActionIcon, CopyButton as Copy, Tooltip } from "@mantine/core";

interface CopyButtonProps {
  readonly value: string;
  /** What is copied, for those who do not see the button: "the zone's id". */
  readonly what: string;
}

/** Copies a text, and says that it did. */
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
