import { plainText } from "../../api/api-error.ts";
import type { Answer } from "../../api/send.ts";

/** One setting of the previous version and what the new one has in its place. */
export interface Consequence {
  readonly setting: string;
  /** Undefined where it is lost. */
  readonly becomes: string | undefined;
}

const lostCode = 40101;
const lostEnding = ": is lost";
const link = ": becomes ";

/** Reads the messages beside a proposed configuration: "SETTING: becomes SOMETHING", "SETTING: is lost". */
export function readConsequences(messages: Answer<unknown>["messages"]): Consequence[] {
  return messages.map(({ code, message: text }) => {
    const message = plainText(text);
    if (code === lostCode && message.endsWith(lostEnding))
      return { setting: message.slice(0, -lostEnding.length), becomes: undefined };
    const at = message.lastIndexOf(link);
    return at === -1
      ? { setting: message, becomes: "As it says" }
      : { setting: message.slice(0, at), becomes: sentence(message.slice(at + link.length)) };
  });
}

/** A value of the API, such as `managed_challenge`, becomes words. */
function sentence(text: string): string {
  const words = /^\w+$/.test(text) ? text.replaceAll("_", " ") : text;
  return words.charAt(0).toUpperCase() + words.slice(1);
}
