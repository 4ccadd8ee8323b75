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

interface HeldDraft {
  readonly question: Question;
  /** The member of the address that its form is open by; undefined where the form stays as long as its page. */
  readonly openBy?: string | undefined;
}

interface Place {
  readonly pathname: string;
  readonly search: object;
}

/**
 * Input that has not been sent, and work that runs only while its page is open: leaving the page would lose them.
 */
class Drafts {
  readonly #drafts = new Map<string, HeldDraft>();
  /** The input of forms that may come back on the same page, by their keys. */
  readonly #kept = new Map<string, object>();
  /** The drafts of the page or dialog around them, which holds what they hold. */
  readonly #around: Drafts | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(around?: Drafts) {
    this.#around = around;
  }

  get areThere(): boolean {
    return this.#drafts.size > 0;
  }

  /** The question about the first of them. */
  get question(): Question {
    const [draft] = this.#drafts.values();
    return draft?.question ?? ofTyped;
  }

  /** The ids of drafts that would be lost on the way from one place to another. */
  lostBetween(current: Place, next: Place): readonly string[] {
    const isOpenAt = ({ search }: Place, openBy: string): boolean =>
      (search as Readonly<Record<string, unknown>>)[openBy] !== undefined;
    return [...this.#drafts].flatMap(([id, { openBy }]) => {
      const stays =
        current.pathname === next.pathname &&
        (openBy === undefined || !isOpenAt(current, openBy) || isOpenAt(next, openBy));
      return stays ? [] : [id];
    });
  }

  add(id: string, draft: HeldDraft): void {
    this.#drafts.set(id, draft);
    this.#around?.add(id, draft);
  }

  remove(id: string): void {
    this.#drafts.delete(id);
    this.#kept.delete(id);
    if (!this.areThere) for (const listener of this.#listeners) listener();
    this.#around?.remove(id);
  }

  keptAt(key: string): object | undefined {
    return this.#kept.get(key);
  }

  /** Holds the input of a form until it is removed, also while the form is not shown. */
  keep(key: string, input: object, openBy?: string): void {
    this.#kept.set(key, input);
    this.add(key, { question: ofTyped, openBy });
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
 * So does Back where the form is `openBy` a member of the address. A navigation after what was typed has been sent
 * passes with `ignoreBlocker`. What is no form has a question of its own, a constant.
 */
export function useDraft(isChanged: boolean, question = ofTyped, openBy?: string): void {
  const drafts = use(DraftsContext);
  const id = useId();
  useEffect(() => {
    if (!isChanged || drafts === undefined) return undefined;
    drafts.add(id, { question, openBy });
    return () => drafts.remove(id);
  }, [isChanged, drafts, id, question, openBy]);
}

interface KeptDraft<Input> {
  readonly input: Input;
  readonly setInput: (input: Input) => void;
  readonly isChanged: boolean;
  /** To be called once it has been sent or discarded. */
  readonly forget: () => void;
}

/**
 * The input of a form that may go while its page stays, as its row of a list does: it is there again when the form is.
 * The key is the form's own on its page.
 */
export function useKeptDraft<Input extends object>(
  key: string,
  initial: Input,
  openBy?: string,
): KeptDraft<Input> {
  const drafts = use(DraftsContext);
  const [input, show] = useState(() => (drafts?.keptAt(key) as Input | undefined) ?? initial);
  return {
    input,
    setInput: (next) => {
      show(next);
      if (differs(initial, next)) drafts?.keep(key, next, openBy);
      else drafts?.remove(key);
    },
    isChanged: differs(initial, input),
    forget: () => drafts?.remove(key),
  };
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
    shouldBlockFn: ({ current, next }) => drafts.lostBetween(current, next).length > 0,
    enableBeforeUnload: () => drafts.areThere,
    withResolver: true,
  });
  const stay = leaving.reset;
  useEffect(() => (stay === undefined ? undefined : drafts.whenNone(stay)), [drafts, stay]);
  return (
    <DraftsContext value={drafts}>
      {children}
      {leaving.status === "blocked" && (
        <Discard
          {...drafts.question}
          action="Leave"
          onKeep={leaving.reset}
          onDiscard={() => {
            const lost = drafts.lostBetween(leaving.current, leaving.next);
            leaving.proceed();
            for (const id of lost) drafts.remove(id);
          }}
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
