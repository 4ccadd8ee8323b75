import { Modal, type ModalProps } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { createContext, use, useEffect, useId, useState, type ReactNode } from "react";

import { ConfirmModal } from "./confirm-modal.tsx";

/** The forms that hold what somebody has typed and not sent. */
class Drafts {
  readonly #ids = new Set<string>();
  /** The drafts of the page or dialog around them, which holds what they hold. */
  readonly #around: Drafts | undefined;

  constructor(around?: Drafts) {
    this.#around = around;
  }

  get areThere(): boolean {
    return this.#ids.size > 0;
  }

  add(id: string): void {
    this.#ids.add(id);
    this.#around?.add(id);
  }

  remove(id: string): void {
    this.#ids.delete(id);
    this.#around?.remove(id);
  }
}

const DraftsContext = createContext<Drafts | undefined>(undefined);

/**
 * Says that a form holds something that would be lost: leaving the page, reloading it or closing the dialog asks first.
 * A navigation after what was typed has been sent passes with `ignoreBlocker`.
 */
export function useDraft(isChanged: boolean): void {
  const drafts = use(DraftsContext);
  const id = useId();
  useEffect(() => {
    if (!isChanged || drafts === undefined) return undefined;
    drafts.add(id);
    return () => drafts.remove(id);
  }, [isChanged, drafts, id]);
}

/** Whether a form holds something else than it began with; both as JSON has them. */
export function differs(initial: object, draft: object): boolean {
  return JSON.stringify(initial) !== JSON.stringify(draft);
}

/** As `useDraft`, for a form whose state is held outside of its dialog. */
export function Draft({ isChanged }: { readonly isChanged: boolean }) {
  useDraft(isChanged);
  return undefined;
}

/** Asks before a page is left on which something was typed and not sent. */
export function LeaveGuard({ children }: { readonly children: ReactNode }) {
  const [drafts] = useState(() => new Drafts());
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => drafts.areThere && current.pathname !== next.pathname,
    enableBeforeUnload: () => drafts.areThere,
    withResolver: true,
  });
  return (
    <DraftsContext value={drafts}>
      {children}
      {leaving.status === "blocked" && (
        <Discard
          title="Leave without saving?"
          action="Leave"
          onKeep={leaving.reset}
          onDiscard={leaving.proceed}
        />
      )}
    </DraftsContext>
  );
}

/** A dialog with a form: only its buttons and Esc close it, and Esc asks first where something was typed. */
export function FormModal({ children, onClose, ...props }: ModalProps) {
  const around = use(DraftsContext);
  const [drafts] = useState(() => new Drafts(around));
  const [isClosing, setClosing] = useState(false);
  return (
    <Modal
      size="lg"
      {...props}
      closeOnClickOutside={false}
      // Esc is of the question while it is asked.
      closeOnEscape={!isClosing}
      onClose={() => (drafts.areThere ? setClosing(true) : onClose())}
    >
      <DraftsContext value={drafts}>
        {children}
        {isClosing && (
          <Discard
            title="Discard what you typed?"
            action="Discard"
            onKeep={() => setClosing(false)}
            onDiscard={() => {
              setClosing(false);
              onClose();
            }}
          />
        )}
      </DraftsContext>
    </Modal>
  );
}

interface DiscardProps {
  readonly title: string;
  readonly action: string;
  readonly onKeep: () => void;
  readonly onDiscard: () => void;
}

/**
 * Asks whether what was typed may go. Mounted only while it asks, so that it does not take the Esc that led to it.
 */
export function Discard({ title, action, onKeep, onDiscard }: DiscardProps) {
  return (
    <ConfirmModal
      opened
      onClose={onKeep}
      title={title}
      action={action}
      cancel="Keep editing"
      onConfirm={onDiscard}
      pending={false}
      error={null}
    >
      What you typed has not been saved.
    </ConfirmModal>
  );
}
