import type { Phase } from "../expression/phases.ts";
import { escapePointer } from "../error.ts";
import { cacheControlParameters, cacheParameters } from "./cache-parameters.ts";
import { listNameLengthMax, listNamePattern } from "../lists/kinds.ts";
import { listIssue } from "../lists/named-lists.ts";
import { executeParameters } from "./execute-parameters.ts";
import {
  described,
  type Schema,
  flag,
  headerName,
  integer,
  list,
  object,
  oneOf,
  oneOfFields,
  optional,
  record,
  required,
  text,
  uniqueList,
  type Shape,
  type ShapeValue,
} from "./shapes.ts";
import { rulesetLimits } from "./limits.ts";
import type { Action } from "./phases.ts";
import type { ExpressionUse, RuleContext } from "./rule-context.ts";
import { invalidValue, parametersMissing } from "./ruleset-error.ts";
import { skipParameters } from "./skip-parameters.ts";

type Operation = "set" | "add" | "remove";

const ofTheService = /^(?:x-)?cf-/;
/** Headers that tell an origin who the visitor is; `cookie` may only be removed too. */
const removableOnly: ReadonlySet<string> = new Set([
  "cookie",
  "true-client-ip",
  "x-forwarded-for",
  "x-forwarded-proto",
  "x-real-ip",
]);
/**
 * The headers that the edge itself sends to an origin: where a request goes and ends, and that it is no loop (RFC
 * 8586).
 */
const ofConnections: ReadonlySet<string> = new Set([
  "accept-encoding",
  "cdn-loop",
  "connection",
  "content-length",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * The reason why a rule may not change a header; undefined if it may. It follows the documentation for
 * [requests](https://developers.cloudflare.com/rules/transform/request-header-modification/#important-remarks) and
 * [responses](https://developers.cloudflare.com/rules/transform/response-header-modification/#important-remarks), in
 * the words that users report.
 */
function reservedHeaderIssue(writtenName: string, operation: Operation, phase: Phase): string | undefined {
  const name = writtenName.toLowerCase();
  const isOfResponse = phase === "http_response_headers_transform";
  const isRemoved = operation === "remove";
  const [prefix] = ofTheService.exec(name) ?? [];
  if (prefix !== undefined && !(name === "cf-connecting-ip" && isRemoved && !isOfResponse))
    return `it cannot be used on header beginning with '${prefix}'`;
  const isReserved = isOfResponse
    ? name === "server"
    : ofConnections.has(name) || (removableOnly.has(name) && !isRemoved);
  return isReserved ? `it cannot be used on header '${writtenName}'` : undefined;
}

export type ActionParameters = Readonly<Record<string, unknown>>;

/** An expression. Its error quotes the text and then the parser's message. */
export function expression(use: ExpressionUse): Shape<string> {
  // The parser has its own limit with a better message.
  const readText = text({ lengthMax: 1_000_000 });
  const read: Shape<string> = (value, pointer, context) => {
    const source = readText(value, pointer, context);
    const issue = context.issueIn(source, use);
    const reason =
      issue === undefined ? listIssue(source, context.lists) : `could not parse filter expression: ${issue}`;
    if (reason === undefined) return source;
    throw invalidValue(pointer, source, reason, "invalidExpression");
  };
  return described(read, { kind: "expression", use });
}

const listName = text({ lengthMax: listNameLengthMax, pattern: new RegExp(listNamePattern) });

const readRedirectList: Shape<string> = (value, pointer, context) => {
  const name = listName(value, pointer, context);
  const kind = context.lists.kindOf(name);
  if (kind === "redirect") return name;
  throw invalidValue(
    pointer,
    name,
    kind === undefined ? "the account has no such list" : `the list is of kind ${kind}`,
  );
};
const redirectList = described(readRedirectList, listName.schema);

const {
  parametersMax,
  cacheTagLengthMax,
  blockContentLengthMax,
  limitContentLengthMax,
  errorContentLengthMax,
} = rulesetLimits;

const contentTypes = ["application/json", "text/html", "text/plain", "text/xml"] as const;

const blockContent = text({ lengthMax: blockContentLengthMax });
const limitContent = text({ lengthMax: limitContentLengthMax });
const readContent: Shape<string> = (value, pointer, context) =>
  (context.phase === "http_ratelimit" ? limitContent : blockContent)(value, pointer, context);

const blockParameters = object({
  response: optional(
    object({
      status_code: required(integer(400, 499)),
      content: required(described(readContent, limitContent.schema)),
      content_type: required(oneOf(contentTypes)),
    }),
  ),
});

const errorParameters = oneOfFields(
  object({
    content: optional(text({ lengthMax: errorContentLengthMax })),
    asset_name: optional(text({ lengthMax: 255 })),
    content_type: optional(oneOf(contentTypes)),
    status_code: optional(integer(400, 999)),
  }),
  ["content", "asset_name"],
);

const computed = oneOfFields(object({ value: optional(text()), expression: optional(expression("text")) }), [
  "value",
  "expression",
]);

const headerFields = object({
  operation: required(oneOf(["set", "add", "remove"])),
  value: optional(text()),
  expression: optional(expression("scalar")),
});

const readHeaderChange: Shape<ShapeValue<typeof headerFields>> = (value, pointer, context) => {
  const read = headerFields(value, pointer, context);
  const given = [read.value, read.expression].filter((one) => one !== undefined).length;
  if (given === (read.operation === "remove" ? 0 : 1)) return read;
  const rule = read.operation === "remove" ? "takes neither" : "takes exactly one of";
  throw invalidValue(pointer, value, `the operation ${read.operation} ${rule} value and expression`);
};
const headerChange = described(readHeaderChange, headerFields.schema);

const anyHeaderChanges = record(headerName, headerChange, parametersMax);
const readHeaderChanges: typeof anyHeaderChanges = (value, pointer, context) => {
  const changes = anyHeaderChanges(value, pointer, context);
  for (const [name, { operation }] of Object.entries(changes)) {
    const issue = reservedHeaderIssue(name, operation, context.phase);
    if (issue !== undefined)
      throw invalidValue(`${pointer}/${escapePointer(name)}/operation`, operation, issue, "reservedHeader");
  }
  return changes;
};
const headerChanges = described(readHeaderChanges, anyHeaderChanges.schema);

const rewriteParameters = object(
  {
    uri: optional(object({ path: optional(computed), query: optional(rewrittenQuery()) }, 1)),
    headers: optional(headerChanges),
  },
  1,
);

/** An empty query removes the current one. */
function rewrittenQuery() {
  return oneOfFields(
    object({ value: optional(text({ lengthMin: 0 })), expression: optional(expression("text")) }),
    ["value", "expression"],
  );
}

const redirectParameters = oneOfFields(
  object({
    from_list: optional(
      object({
        name: required(redirectList),
        key: required(oneOf(["http.request.full_uri", "raw.http.request.full_uri"])),
      }),
    ),
    from_value: optional(
      object({
        status_code: optional(oneOf([301, 302, 303, 307, 308])),
        target_url: required(computed),
        preserve_query_string: optional(flag),
      }),
    ),
  }),
  ["from_list", "from_value"],
);

const hostname = text({ lengthMax: 253, pattern: /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?$/i });
/** A name or an address, as in the header `Host`. */
const hostHeader = text({
  lengthMax: 255,
  pattern: /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i,
});

const routeParameters = object(
  {
    host_header: optional(hostHeader),
    origin: optional(object({ host: optional(hostname), port: optional(integer(1, 65_535)) }, 1)),
    sni: optional(object({ value: required(hostname) })),
  },
  1,
);

const configParameters = object(
  {
    automatic_https_rewrites: optional(flag),
    autominify: optional(object({ css: optional(flag), html: optional(flag), js: optional(flag) })),
    bic: optional(flag),
    content_converter: optional(flag),
    disable_apps: optional(oneOf([true])),
    disable_pay_per_crawl: optional(oneOf([true])),
    disable_rum: optional(oneOf([true])),
    disable_zaraz: optional(oneOf([true])),
    email_obfuscation: optional(flag),
    fonts: optional(flag),
    hotlink_protection: optional(flag),
    mirage: optional(flag),
    opportunistic_encryption: optional(flag),
    polish: optional(oneOf(["off", "lossless", "lossy", "webp"])),
    redirects_for_ai_training: optional(flag),
    request_body_buffering: optional(oneOf(["none", "standard", "full"])),
    response_body_buffering: optional(oneOf(["none", "standard"])),
    rocket_loader: optional(flag),
    security_level: optional(oneOf(["off", "essentially_off", "low", "medium", "high", "under_attack"])),
    server_side_excludes: optional(flag),
    ssl: optional(oneOf(["off", "flexible", "full", "strict", "origin_pull"])),
    sxg: optional(flag),
    webmcp_enabled: optional(flag),
    webmcp_packs: optional(uniqueList(text(), parametersMax)),
  },
  1,
);

const named = object({ name: required(text({ lengthMax: 255 })) });
const namedInResponse = object({
  name: required(text({ lengthMax: 255 })),
  preserve_duplicates: optional(flag),
});
const logFieldParameters = object(
  {
    cookie_fields: optional(list(named, parametersMax)),
    raw_response_fields: optional(list(namedInResponse, parametersMax)),
    request_fields: optional(list(named, parametersMax)),
    response_fields: optional(list(namedInResponse, parametersMax)),
    transformed_request_fields: optional(list(named, parametersMax)),
  },
  1,
);

const compressionParameters = object({
  algorithms: required(
    list(
      object({ name: required(oneOf(["none", "auto", "default", "gzip", "brotli", "zstd"])) }),
      parametersMax,
    ),
  ),
});

const cacheTags = text({ lengthMax: cacheTagLengthMax, pattern: /^[!-~]+$/ });

/** Tags that the cache gives a response, beside those that the origin sent. They are stored and answered. */
const cacheTagParameters = oneOfFields(
  object({
    operation: required(oneOf(["add", "remove", "set"])),
    values: optional(list(cacheTags, parametersMax)),
    expression: optional(expression("texts")),
  }),
  ["values", "expression"],
);

const scoreMax = 1_000_000;
const scoreParameters = object({ increment: required(integer(-scoreMax, scoreMax)) });

const requiredParameters: Readonly<Partial<Record<Action, Shape<object>>>> = {
  compress_response: compressionParameters,
  execute: executeParameters,
  log_custom_field: logFieldParameters,
  redirect: redirectParameters,
  rewrite: rewriteParameters,
  route: routeParameters,
  score: scoreParameters,
  serve_error: errorParameters,
  set_cache_control: cacheControlParameters,
  set_cache_settings: cacheParameters,
  set_cache_tags: cacheTagParameters,
  set_config: configParameters,
  skip: skipParameters,
};

const noParameters = object({});

const parametersOf = (action: Action): Shape<object> =>
  requiredParameters[action] ?? (action === "block" ? blockParameters : noParameters);

/** The schema of an action's parameters. */
export const parametersSchema = (action: Action): Schema | undefined => parametersOf(action).schema;

/**
 * The parameters of an action; undefined for none. Errors: 400 code 20113 if they are required, otherwise 400 with a
 * pointer to the first error.
 */
export function readActionParameters(
  action: Action,
  value: unknown,
  pointer: string,
  context: RuleContext,
): ActionParameters | undefined {
  const isGiven = value !== undefined && value !== null;
  if (!isGiven && requiredParameters[action] !== undefined) throw parametersMissing(pointer, action);
  if (!isGiven) return undefined;
  const read = parametersOf(action)(value, pointer, context);
  return Object.keys(read).length === 0 ? undefined : (read as ActionParameters);
}
