import { invalidBody } from "../../core/error.ts";
import type { TraceBody } from "./schema.ts";

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The body of a traced request, from any of its forms. Errors: 400 code 1003. */
export function bodyOf(body: TraceBody["body"]): { readonly text: string; readonly mediaType?: string } {
  const { base64: encoded, json, plain_text } = body ?? {};
  if (typeof encoded === "string") {
    if (base64.test(encoded)) return { text: Buffer.from(encoded, "base64").toString("utf8") };
    throw invalidBody("/body/base64", "must be padded base64");
  }
  if (json !== undefined && json !== null)
    return { text: JSON.stringify(json), mediaType: "application/json" };
  if (typeof plain_text === "string") return { text: plain_text, mediaType: "text/plain" };
  return { text: "" };
}
