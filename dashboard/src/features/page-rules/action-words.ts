import { wordsOf } from "../../components/setting-words.ts";

export const actionTitle = wordsOf;

/** What an action sets its setting to, as people read it. */
export function actionValueText(value: unknown): string {
  if (typeof value === "string") return value.replaceAll("_", " ");
  return typeof value === "number" ? String(value) : JSON.stringify(value);
}
