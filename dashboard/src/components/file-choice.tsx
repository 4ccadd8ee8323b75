import { DocumentArrowUpIcon } from "@heroicons/react/24/outline";
import { FileButton, Text, UnstyledButton } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useRef, useState } from "react";

import classes from "./file-choice.module.css";

interface FileChoiceProps {
  readonly label: string;
  readonly accept: string;
  readonly onFile: (file: { readonly name: string; readonly text: string }) => void;
}

/** Takes a text file, chosen or dropped; says so where it cannot be read, as a folder cannot. */
export function FileChoice({ label, accept, onFile }: FileChoiceProps) {
  const [isOver, setOver] = useState(false);
  const forget = useRef<() => void>(null);
  const read = async (file: File | null | undefined): Promise<void> => {
    if (!file) return;
    // Else a browser would not tell that the same file, mended meanwhile, is chosen again.
    forget.current?.();
    try {
      onFile({ name: file.name, text: await file.text() });
    } catch {
      notifications.show({ color: "red", message: `${file.name} could not be read.` });
    }
  };
  return (
    <FileButton accept={accept} resetRef={forget} onChange={(file) => void read(file)}>
      {(props) => (
        <UnstyledButton
          {...props}
          className={classes.zone ?? ""}
          data-over={isOver}
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={(event) => {
            event.preventDefault();
            setOver(false);
            void read(event.dataTransfer.files.item(0));
          }}
        >
          <DocumentArrowUpIcon width={24} aria-hidden />
          <Text size="sm">{label}, or drop it here</Text>
        </UnstyledButton>
      )}
    </FileButton>
  );
}
