import { useState } from "react";

interface SentText {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** Hands a text on; it comes back as `value`, maybe after more was typed. */
  readonly send: (text: string) => void;
}

/** The text of a field whose value lives elsewhere, as in the page's address: it follows changes by others. */
export function useSentText(value: string, onSend: (text: string) => void): SentText {
  const [text, setText] = useState(value);
  const [sent, setSent] = useState(value);
  const [seen, setSeen] = useState(value);
  if (value !== seen) {
    setSeen(value);
    if (value !== sent) {
      setSent(value);
      setText(value);
    }
  }
  const send = (next: string): void => {
    if (next === sent) return;
    setSent(next);
    onSend(next);
  };
  return { text, setText, send };
}
