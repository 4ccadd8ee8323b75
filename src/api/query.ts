import { errorCodes } from "../core/error-codes.ts";
import { AppError, invalidRequest } from "../core/error.ts";
import { transportErrors } from "./errors.ts";

export type Query = Readonly<Record<string, string>>;

/** Characters, with escapes unresolved. RFC 9110, section 4.1, recommends to support URIs of 8,000 octets. */
const lengthMax = 8_192;
const parametersMax = 100;
/** Characters, with escapes resolved. */
const nameLengthMax = 256;

// Without brackets inside, so that matching takes linear time.
const bracketed = /\[([^[\]]*)\]/g;

/**
 * Parses a query string as clients write it: `a.b=c` and `a[b]=c` are the same, a repeated parameter is a
 * comma-separated list (`type=A&type=AAAA`), a malformed escape is literal text.
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
  return invalidRequest(errorCodes.request.invalid, `Invalid query: ${rule}`);
}
