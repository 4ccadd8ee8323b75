import { MagnifyingGlassIcon } from "@heroicons/react/24/outline";
import { TextInput } from "@mantine/core";

import { Dialog } from "./dialog.tsx";

/** The field of the palette, and of what stands for it while it loads. */
export const searchField = {
  "aria-label": "Search zones, records, pages and actions",
  placeholder: "Zones, records, pages, actions…",
  leftSection: <MagnifyingGlassIcon width={20} aria-hidden />,
  // A timer would lose what is typed before it.
  ref: (input: HTMLInputElement | null) => input?.focus(),
};

interface PaletteLoadingProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onClose: () => void;
}

/** Takes what is typed until the palette is there, however slow the network is. */
export function PaletteLoading({ text, onText, onClose }: PaletteLoadingProps) {
  return (
    <Dialog
      opened
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      size={600}
      yOffset={80}
      overlayProps={{ backgroundOpacity: 0.35, blur: 7 }}
      transitionProps={{ duration: 0 }}
      attributes={{ content: { "aria-label": "Find anything" } }}
    >
      <TextInput
        {...searchField}
        size="lg"
        variant="unstyled"
        value={text}
        onChange={(event) => onText(event.currentTarget.value)}
        data-autofocus
      />
    </Dialog>
  );
}
