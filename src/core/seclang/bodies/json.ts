import { encodeText } from "../../expression/byte-string.ts";
import type { Entry } from "./url-encoded.ts";

/**
 * Octets of a path, beyond which it is not repeated in the names of the values below it, so that names stay
 * in proportion to the body.
 */
const pathOctetsMax = 256;

interface JsonValues {
  /** The values before the first error, including those of a truncated text. */
  readonly values: readonly Entry[];
  /** The paths of lists. Rules look for some of them as names of arguments. */
  readonly lists: readonly string[];
  readonly isWellFormed: boolean;
}

interface Open {
  readonly path: string;
  readonly isList: boolean;
  /** The name of the next member, or the index of the next item. */
  name: string;
  items: number;
}

const blanks = /[\t\n\r ]*/y;
const byteOrderMark = "\xef\xbb\xbf";
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const quoted = /"((?:[^"\\]+|\\[^])*)("?)/y;

/**
 * The values of a JSON text by path: `{"a":[1]}` has `json.a.0` with the value `1`. Duplicate members of an
 * object are all included. Values before a syntax error are included, as the application may accept such a
 * text.
 */
export function readJson(bytes: string): JsonValues {
  const values: Entry[] = [];
  const lists: string[] = [];
  const open: Open[] = [];
  let at = bytes.startsWith(byteOrderMark) ? byteOrderMark.length : 0;

  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(bytes);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  const takeSign = (sign: string): boolean => {
    take(blanks);
    if (bytes[at] !== sign) return false;
    at += 1;
    return true;
  };
  const pathOf = (container: Open | undefined): string => {
    if (container === undefined) return "json";
    const below = container.path.length > pathOctetsMax ? "json" : container.path;
    return `${below}.${container.isList ? container.items : container.name}`;
  };
  /** Reads the name of a member and its colon. Returns whether it was well-formed. */
  const takeName = (container: Open): boolean => {
    take(blanks);
    const [, name = "", end] = take(quoted) ?? [];
    container.name = unescaped(name);
    if (end === '"' && takeSign(":")) return true;
    if (name !== "") values.push({ name: pathOf(container), value: "" });
    return false;
  };
  /**
   * Reads a scalar value, or the opening bracket of an object or list. Returns whether it was well-formed.
   */
  const takeValue = (): boolean => {
    const path = pathOf(open.at(-1));
    const isList = takeSign("[");
    if (isList || takeSign("{")) {
      open.push({ path, isList, name: "", items: 0 });
      if (isList) lists.push(path);
      return true;
    }
    const text = take(quoted);
    if (text !== null) {
      const [, content = "", end] = text;
      values.push({ name: path, value: unescaped(content) });
      return end === '"';
    }
    const [word] = take(scalar) ?? [];
    if (word !== undefined) values.push({ name: path, value: word === "null" ? "" : word });
    return word !== undefined;
  };

  /** Reads the next comma or closing bracket. Returns whether it was well-formed. */
  const takeNext = (container: Open): boolean => {
    if (takeSign(container.isList ? "]" : "}")) {
      open.pop();
      return true;
    }
    if (container.items > 0 && !takeSign(",")) return false;
    if (!container.isList && !takeName(container)) return false;
    const isRead = takeValue();
    container.items += 1;
    return isRead;
  };

  let isWellFormed = takeValue();
  for (let last = open.at(-1); isWellFormed && last !== undefined; last = open.at(-1)) {
    isWellFormed = takeNext(last);
  }
  take(blanks);
  return { values, lists, isWellFormed: isWellFormed && at === bytes.length };
}

const escapes: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(/((?:\\u[0-9a-fA-F]{4})+)|\\([^])/g, (_, units: string | undefined, sign: string) =>
    units === undefined ? (escapes[sign] ?? sign) : encodeText(fromUnits(units)),
  );
}

/** Decodes adjacent escapes such as `\u0041\u0042` together, as two of them may be a surrogate pair. */
function fromUnits(units: string): string {
  return units.replace(/\\u(....)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}
