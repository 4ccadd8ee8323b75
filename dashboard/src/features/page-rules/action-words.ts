import { valueText, wordsOf } from "../../components/setting-words.ts";

export const actionTitle = wordsOf;

export function actionValueText(value: unknown): string {
  const isRedirect = typeof value === "object" && value !== null && "url" in value && "status_code" in value;
  return isRedirect ? `${String(value.url)} (${String(value.status_code)})` : valueText("", value);
}
