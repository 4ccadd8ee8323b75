import type { ModalProps } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { createContext, use, useEffect, useId, useState, type ReactNode } from "react";

import { ConfirmModal } from "./confirm-modal.tsx";
import { Dialog } from "./dialog.tsx";

/** Asked of somebody who is about to leave a page. */
interface Question {
  readonly title: string;
  readonly keep: string;
  readonly text: string;
}

const ofTyped: Question = {
  title: "Leave without saving?",
  keep: "Keep editing",
  text: "What you typed has not been saved.",
};

/** Input that has not been sent, and work that runs only while its page is open: leaving the page would lose them. */
class Drafts {
  readonly #questions = new Map<string, Question>();
  /** The drafts of the page or dialog around them, which holds what they hold. */
  readonly #around: Drafts | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(around?: Drafts) {
    this.#around = around;
  }

  get areThere(): boolean {
    return this.#questions.size > 0;
  }

  /** The question about the first of them. */
  get question(): Question {
    const [question = ofTyped] = this.#questions.values();
    return question;
  }

  add(id: string, question: Question): void {
    this.#questions.set(id, question);
    this.#around?.add(id, question);
  }

  remove(id: string): void {
    this.#questions.delete(id);
    if (!this.areThere) for (const listener of this.#listeners) listener();
    this.#around?.remove(id);
  }

  /** Calls the listener once nothing would be lost. Returns a function that stops that. */
  whenNone(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

const DraftsContext = createContext<Drafts | undefined>(undefined);

/**
 * Says that a form holds something that would be lost: leaving the page, reloading it or closing the dialog asks first.
 * A navigation after what was typed has been sent passes with `ignoreBlocker`. What is no form has a question of its
 * own, a constant.
 */
export function useDraft(isChanged: boolean, question = ofTyped): void {
  const drafts = use(DraftsContext);
  const id = useId();
  useEffect(() => {
    if (!isChanged || drafts === undefined) return undefined;
    drafts.add(id, question);
    return () => drafts.remove(id);
  }, [isChanged, drafts, id, question]);
}

/** Whether a form holds something else than it began with; both as JSON has them. */
export function differs(initial: object, draft: object): boolean {
  return JSON.stringify(initial) !== JSON.stringify(draft);
}

/** Does the same as `useDraft` for a form whose state is held outside of its dialog. */
export function Draft({ isChanged }: { readonly isChanged: boolean }) {
  useDraft(isChanged);
  return undefined;
}

/** Asks before a page is left on which something would be lost, and no longer than that is so. */
export function LeaveGuard({ children }: { readonly children: ReactNode }) {
  const [drafts] = useState(() => new Drafts());
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => drafts.areThere && current.pathname !== next.pathname,
    enableBeforeUnload: () => drafts.areThere,
    withResolver: true,
  });
  const stay = leaving.reset;
  useEffect(() => (stay === undefined ? undefined : drafts.whenNone(stay)), [drafts, stay]);
  return (
    <DraftsContext value={drafts}>
      {children}
      {leaving.status === "blocked" && (
        <Discard {...drafts.question} action="Leave" onKeep={leaving.reset} onDiscard={leaving.proceed} />
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
    <Dialog
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
    </Dialog>
  );
}

interface DiscardProps extends Partial<Question> {
  readonly title: string;
  readonly action: string;
  readonly onKeep: () => void;
  readonly onDiscard: () => void;
}

/**
 * Asks whether what was typed may go. Mounted only while it asks, so that it does not take the Esc that led to it.
 */
export function Discard({
  title,
  action,
  keep = ofTyped.keep,
  text = ofTyped.text,
  onKeep,
  onDiscard,
}: DiscardProps) {
  return (
    <ConfirmModal
      opened
      onClose={onKeep}
      title={title}
      action={action}
      cancel={keep}
      onConfirm={onDiscard}
      pending={false}
      error={null}
    >
      {text}
    </ConfirmModal>
  );
}
