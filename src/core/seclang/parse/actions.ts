import { SecLangError, type Location } from "./seclang-error.ts";

/** An action of a rule: `setvar:'tx.score=+5'` has the name `setvar` and the value `tx.score=+5`. */
export interface Action {
  readonly name: string;
  readonly value: string;
}

const action = /\s*([A-Za-z]+)(?::(?:'((?:[^'\\]|\\[^])*)'|([^,]*)))?\s*(?:,|$)/y;

/** Splits the list of actions of a rule. Throws SecLangError for a malformed one. */
export function parseActions(location: Location, text: string): Action[] {
  const actions: Action[] = [];
  action.lastIndex = 0;
  while (text.slice(action.lastIndex).trim() !== "") {
    const at = action.lastIndex;
    const [, name, quoted, plain = ""] = action.exec(text) ?? [];
    if (name === undefined) throw new SecLangError(location, `"${text.slice(at, at + 40)}" is not an action`);
    const value = quoted === undefined ? plain.trim() : quoted.replaceAll(String.raw`\'`, "'");
    actions.push({ name: name.toLowerCase(), value });
  }
  return actions;
}
