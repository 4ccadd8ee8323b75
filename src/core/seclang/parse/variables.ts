const names = [
  "ARGS",
  "ARGS_COMBINED_SIZE",
  "ARGS_GET",
  "ARGS_GET_NAMES",
  "ARGS_NAMES",
  "ARGS_POST",
  "ARGS_POST_NAMES",
  "DURATION",
  "FILES",
  "FILES_COMBINED_SIZE",
  "FILES_NAMES",
  "GEO",
  "GLOBAL",
  "IP",
  "MATCHED_VAR",
  "MATCHED_VARS",
  "MATCHED_VARS_NAMES",
  "MATCHED_VAR_NAME",
  "MULTIPART_PART_HEADERS",
  "MULTIPART_STRICT_ERROR",
  "QUERY_STRING",
  "REMOTE_ADDR",
  "REQBODY_ERROR",
  "REQBODY_PROCESSOR",
  "REQUEST_BASENAME",
  "REQUEST_BODY",
  "REQUEST_BODY_LENGTH",
  "REQUEST_COOKIES",
  "REQUEST_COOKIES_NAMES",
  "REQUEST_FILENAME",
  "REQUEST_HEADERS",
  "REQUEST_HEADERS_NAMES",
  "REQUEST_LINE",
  "REQUEST_METHOD",
  "REQUEST_PROTOCOL",
  "REQUEST_URI",
  "REQUEST_URI_RAW",
  "RESPONSE_BODY",
  "RESPONSE_CONTENT_TYPE",
  "RESPONSE_HEADERS",
  "RESPONSE_STATUS",
  "SESSION",
  "TX",
  "UNIQUE_ID",
  "USER",
  "XML",
] as const;

export type Variable = (typeof names)[number];

const known: ReadonlySet<string> = new Set(names);

export function isVariable(name: string): name is Variable {
  return known.has(name);
}

const changing: ReadonlySet<Variable> = new Set([
  "GLOBAL", "IP", "MATCHED_VAR", "MATCHED_VARS", "MATCHED_VARS_NAMES", "MATCHED_VAR_NAME", "SESSION", "TX", "USER",
]); // prettier-ignore

/** Whether a variable is set from the request or the response; others change while rules run. */
export function isFixed(variable: Variable): boolean {
  return !changing.has(variable);
}
