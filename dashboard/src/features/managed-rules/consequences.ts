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
  return messages.map(({ code, message }) => {
    if (code === lostCode && message.endsWith(lostEnding))
      return { setting: message.slice(0, -lostEnding.length), becomes: undefined };
    const at = message.lastIndexOf(link);
    return at === -1
      ? { setting: message, becomes: "as it says" }
      : { setting: message.slice(0, at), becomes: message.slice(at + link.length) };
  });
}
