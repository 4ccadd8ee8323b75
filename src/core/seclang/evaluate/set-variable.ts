import { lowerAscii } from "../../expression/byte-string.ts";
import { SecLangError, type Place } from "../parse/seclang-error.ts";
import type { StoredCollection } from "./stored-collections.ts";
import { isStoredCollection } from "./stored-collections.ts";
import { compileMacro, type Macro } from "./macro.ts";

/** What `setvar` does. */
export interface SetVariable {
  readonly collection: StoredCollection;
  readonly name: Macro;
  readonly change: "set" | "add" | "subtract" | "remove";
  readonly value: Macro;
}

/** Parses `tx.name=value`, `tx.name=+5`, `tx.name=-5`, `!tx.name` and `tx.name`, which sets 1. */
export function parseSetVariable(place: Place, text: string): SetVariable {
  const [, sign = "", written = "", name = "", value] = /^(!?)(\w+)\.([^=]+)(?:=(.*))?$/s.exec(text) ?? [];
  const collection = written.toUpperCase();
  if (!isStoredCollection(collection)) throw new SecLangError(place, `"setvar:${text}" is not supported`);
  const [, step = "", amount = ""] = /^([+-]?)(.*)$/s.exec(value ?? "1") ?? [];
  const changes = { "": "set", "+": "add", "-": "subtract" } as const;
  return {
    collection,
    name: compileMacro(lowerAscii(name.trim())),
    change: sign === "!" ? "remove" : changes[step as keyof typeof changes],
    value: compileMacro(amount),
  };
}
