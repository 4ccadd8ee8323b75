import { AppError } from "../core/error.ts";
import { transportErrors } from "./errors.ts";

/** The query of a request: one value a name. */
export type Query = Readonly<Record<string, string>>;

/** As the router hands it on: nothing is spent on a query before its request is admitted. */
export interface UnparsedQuery {
  readonly text: string;
}

/** Characters, escapes as they are written. RFC 9110 section 4.1 asks for URIs of 8,000 octets at least. */
const lengthMax = 8_192;
const parametersMax = 100;
/** Characters, escapes resolved. */
const nameLengthMax = 256;

// A bracket ends the search: looked for from each opening one, a closing one costs the square of the length.
const bracketed = /\[([^[\]]*)\]/g;

/**
 * Parses a query string as the clients write it: `a.b=c` and `a[b]=c` are the same, a parameter said more
 * than once is one comma list (`type=A&type=AAAA`), a malformed escape stands for itself.
 * Errors: 414 code 10414 above 8,192 characters, 400 code 1003 for more than 100 parameters and for a name above 256
 * characters.
 */
export function parseQuery(text: string): Query {
  const query: Record<string, string> = Object.create(null);
  if (text === "") return query;
  if (text.length > lengthMax) throw transportErrors.queryTooLong(lengthMax);
  const parameters = new URLSearchParams(text);
  if (parameters.size > parametersMax) throw invalidQuery(`must have at most ${parametersMax} parameters`);
  for (const [rawName, value] of parameters) {
    if (rawName.length > nameLengthMax) {
      throw invalidQuery(`the name of a parameter must have at most ${nameLengthMax} characters`);
    }
    const name = rawName.replaceAll(bracketed, (_, inner: string) => (inner === "" ? "" : `.${inner}`));
    const earlier = query[name];
    query[name] = earlier === undefined ? value : `${earlier},${value}`;
  }
  return query;
}

function invalidQuery(rule: string): AppError {
  return new AppError("invalid", 1003, `Invalid query: ${rule}`);
}
