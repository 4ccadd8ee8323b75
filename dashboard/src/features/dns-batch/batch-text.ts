import type { BodyOf } from "../../api/call.ts";

const parts = ["deletes", "patches", "puts", "posts"] as const;
type Part = (typeof parts)[number];

const verbs: Readonly<Record<Part, string>> = {
  deletes: "delete",
  patches: "change",
  puts: "replace",
  posts: "add",
};

/** The batch of a text, or the reason why there is none. */
type ReadBatch =
  | { readonly body: BodyOf<"batchDnsRecords">; readonly sentence: string }
  | { readonly gap: string };

export function readBatch(text: string): ReadBatch {
  if (text.trim() === "") return { gap: "" };
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    return { gap: `This is not JSON: ${(error as Error).message}` };
  }
  if (typeof body !== "object" || body === null || Array.isArray(body))
    return { gap: "A batch is an object with deletes, patches, puts or posts." };
  const unknown = Object.keys(body).filter((name) => !parts.includes(name as Part));
  if (unknown.length > 0) return { gap: `A batch has no ${unknown.join(", ")}.` };
  const batch = body as Partial<Record<Part, unknown>>;
  const wrong = parts.find((part) => batch[part] !== undefined && !Array.isArray(batch[part]));
  if (wrong !== undefined) return { gap: `${wrong} has to be a list.` };
  // The server reports anything else that is wrong with it.
  const lists = batch as BodyOf<"batchDnsRecords">;
  const said = parts.flatMap((part) => {
    const count = lists[part]?.length ?? 0;
    return count === 0 ? [] : [`${verbs[part]} ${count}`];
  });
  if (said.length === 0) return { gap: "The batch is empty." };
  return { body: lists, sentence: `All or nothing: ${said.join(", then ")}.` };
}
