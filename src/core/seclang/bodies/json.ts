import { encodeText, decodeText } from "../../expression/byte-string.ts";
import type { Entry } from "./entry.ts";

/** How deep a body may be nested; deeper ones are an error. */
export const jsonDepthMax = 1024;
/** Longer paths are left out of those below them, so that names stay in proportion to the body. */
const pathOctetsMax = 256;

/**
 * The values of a JSON text by their paths: `{"a":[1]}` has `json.a.0`, with the value `1`. Undefined if it is no JSON.
 */
export function readJson(bytes: string): Entry[] | undefined {
  const text = decodeText(bytes);
  if (text === undefined) return undefined;
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return undefined;
  }
  const entries: Entry[] = [];
  const open: { readonly path: string; readonly value: unknown; readonly depth: number }[] = [
    { path: "json", value: root, depth: 0 },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { path, value, depth } = next;
    if (depth > jsonDepthMax) return undefined;
    if (typeof value !== "object" || value === null) {
      entries.push({
        name: path,
        value: value === null ? "" : encodeText(`${value as string | number | boolean}`),
      });
      continue;
    }
    const prefix = path.length > pathOctetsMax ? "json" : path;
    const members = Object.entries(value).toReversed();
    for (const [name, member] of members) {
      open.push({ path: `${prefix}.${encodeText(name)}`, value: member, depth: depth + 1 });
    }
  }
  return entries;
}
