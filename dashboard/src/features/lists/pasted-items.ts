import { AppError } from "../../../../src/core/error.ts";
import { readListItem, type SentListItem } from "../../../../src/core/lists/items.ts";
import type { ListKind } from "../../../../src/core/lists/kinds.ts";
import { redirectStatusCodes } from "../../../../src/core/lists/redirects.ts";
import type { NewListItem } from "./use-items.ts";

interface PastedItems {
  readonly items: readonly NewListItem[];
  /** Lines that are no items, by their number from 1 on. */
  readonly bad: readonly { readonly line: number; readonly text: string; readonly reason: string }[];
}

/** Reads an item from each line, as the server will; empty lines and those that begin with `#` are left out. */
export function readPastedItems(kind: ListKind, text: string): PastedItems {
  const items: NewListItem[] = [];
  const bad: { line: number; text: string; reason: string }[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const trimmed = line.trim();
    if (trimmed === "" || trimmed.startsWith("#")) continue;
    try {
      const { value, comment } = readListItem(kind, readLine(kind, trimmed), "");
      items.push({ ...value, ...(comment !== undefined && { comment }) });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      bad.push({ line: index + 1, text: trimmed, reason: ruleOf(error) });
    }
  }
  return { items, bad };
}

/** Without the field, which the line is. */
function ruleOf({ message }: AppError): string {
  return message.replace(/^Invalid body [^:]*: /, "").replaceAll("`", "");
}

function readLine(kind: ListKind, line: string): SentListItem {
  const [first = "", ...others] = line.split(/[,;\t]/).map((part) => part.trim());
  if (kind === "redirect") {
    const [target_url = "", status = ""] = others;
    // A status that is none is refused as such.
    const code = status === "" ? undefined : redirectStatusCodes.find((one) => String(one) === status);
    return {
      redirect: {
        source_url: first,
        target_url: status !== "" && code === undefined ? "" : target_url,
        ...(code !== undefined && { status_code: code }),
      },
    };
  }
  const comment = others.join(", ");
  const said = comment === "" ? {} : { comment };
  if (kind === "ip") return { ip: first, ...said };
  if (kind === "hostname") return { hostname: { url_hostname: first }, ...said };
  return /^\d+$/.test(first) && Number(first) <= 4_294_967_295 ? { asn: Number(first), ...said } : said;
}
