import { Modal, type ModalProps } from "@mantine/core";
import { useEffect, useMemo } from "react";

/** A modal dialog that gives the focus back also where it goes together with whatever opened it in the tree. */
export function Dialog(props: ModalProps) {
  const { opened } = props;
  // Asked before the dialog is drawn: the menu that it was opened from goes then.
  const opener = useMemo(() => (opened ? openerNow() : undefined), [opened]);
  useEffect(
    () => () => {
      if (document.activeElement === document.body) opener?.focus({ preventScroll: true });
    },
    [opener],
  );
  return <Modal {...props} />;
}

/** The focused element, or the button of the menu that has it. */
function openerNow(): HTMLElement | undefined {
  const { activeElement } = document;
  const menu = activeElement?.closest("[role=menu]");
  const opener = menu ? document.getElementById(menu.getAttribute("aria-labelledby") ?? "") : activeElement;
  return opener instanceof HTMLElement ? opener : undefined;
}
