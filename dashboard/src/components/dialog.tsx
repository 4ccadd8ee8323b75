import { Modal, type ModalProps } from "@mantine/core";
import { useEffect } from "react";

/** A modal dialog that gives the focus back also where it goes together with whatever opened it in the tree. */
export function Dialog(props: ModalProps) {
  const { opened } = props;
  useEffect(() => {
    if (!opened) return undefined;
    const before = document.activeElement;
    return () => {
      const isLost = document.activeElement === document.body;
      if (isLost && before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, [opened]);
  return <Modal {...props} />;
}
