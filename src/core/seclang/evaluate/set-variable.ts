import { lowerAscii } from "../../expression/byte-string.ts";
import { SecLangError, type Location } from "../parse/seclang-error.ts";
import type { StoredCollection } from "./stored-collections.ts";
import { isStoredCollection } from "./stored-collections.ts";
import { compileMacro, type Macro } from "./macro.ts";

/** The names of the variable before release 4.0 and since. */
const scoreName = /^(?:inbound_)?anomaly_score_pl[1-4]$/i;

export interface SetVariable {
  readonly collection: StoredCollection;
  readonly name: Macro;
  /** Whether it is the score of a request at a paranoia level. */
  readonly isScore: boolean;
  readonly change: "set" | "add" | "subtract" | "remove";
  readonly value: Macro;
}

/** Parses `tx.name=value`, `tx.name=+5`, `tx.name=-5`, `!tx.name` and `tx.name`, which sets 1. */
export function parseSetVariable(location: Location, text: string): SetVariable {
  const [, sign = "", written = "", name = "", value] = /^(!?)(\w+)\.([^=]+)(?:=(.*))?$/s.exec(text) ?? [];
  const collection = written.toUpperCase();
  if (!isStoredCollection(collection)) throw new SecLangError(location, `"setvar:${text}" is not supported`);
  const [, step = "", amount = ""] = /^([+-]?)(.*)$/s.exec(value ?? "1") ?? [];
  const changes = { "": "set", "+": "add", "-": "subtract" } as const;
  return {
    collection,
    name: compileMacro(lowerAscii(name.trim())),
    isScore: collection === "TX" && scoreName.test(name),
    change: sign === "!" ? "remove" : changes[step as keyof typeof changes],
    value: compileMacro(amount),
  };
}
