import { describePermission, groupsFor } from "../core/policy/permission.ts";
import { perPageDefault } from "./pagination.ts";
import { progressType, identifier, type RouteDescription } from "./route.ts";
import { withUnsetMembers } from "./unset-members.ts";

interface DocumentOptions {
  readonly basePath: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
}

/** The OpenAPI 3.1 document of the mounted routes. */
export function openApiDocument(
  routes: readonly RouteDescription[],
  {
    basePath,
    version,
    title = "Zoneward",
    description = "The v4 zone-management API. Not affiliated with Cloudflare.",
  }: DocumentOptions,
): object {
  const paths: Record<string, Record<string, object>> = {};
  const tagOf = tagger(routes);
  for (const route of routes) {
    const operation = operationOf(route, tagOf(route));
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation };
  }
  return {
    openapi: "3.1.0",
    info: {
      title,
      version,
      description,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: basePath }],
    tags: [...new Set(routes.map(tagOf))].toSorted().map((name) => ({ name })),
    paths,
    components: { securitySchemes, schemas: { Failure: failure } },
  };
}

const securitySchemes = {
  token: { type: "http", scheme: "bearer", description: "An API token." },
  email: { type: "apiKey", in: "header", name: "X-Auth-Email" },
  key: { type: "apiKey", in: "header", name: "X-Auth-Key", description: "The Global API Key." },
  session: {
    type: "apiKey",
    in: "cookie",
    name: "zoneward_session",
    description: "For pages of this server, which also send the header `X-Zoneward-Session: 1`.",
  },
};

const message = {
  type: "object",
  properties: { code: { type: "integer" }, message: { type: "string" } },
  required: ["code", "message"],
};
const messages = { type: "array", items: message };

const failure = {
  type: "object",
  properties: {
    success: { const: false },
    errors: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        properties: {
          ...message.properties,
          source: { type: "object", properties: { pointer: { type: "string" } } },
          error_chain: messages,
        },
        required: ["code", "message"],
      },
    },
    messages,
    result: { type: "null" },
  },
  required: ["success", "errors", "messages", "result"],
};

function operationOf(route: RouteDescription, tag: string): object {
  const body = requestBodyOf(route);
  return {
    operationId: route.operation,
    summary: route.summary,
    ...(typeof route.access === "object" && {
      description: `Permission: ${describePermission(route.access)}.`,
      "x-permission-groups": groupsFor(route.access).map(({ id, name }) => ({ id, name })),
    }),
    tags: [tag],
    security: securityOf(route),
    ...(route.isAtRoot && { servers: [{ url: "/" }] }),
    parameters: [...pathParametersOf(route), ...queryParametersOf(route), ...pagingParametersOf(route)],
    ...(body && { requestBody: body }),
    responses: {
      ...(route.answersNothing
        ? { "204": { description: "Success" } }
        : { "200": { description: "Success", content: answerOf(route) } }),
      "4XX": {
        description: "Refused; nothing has changed",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Failure" } } },
      },
    },
  };
}

function securityOf({ access, schemes = ["token", "key", "session"] }: RouteDescription): object[] {
  if (access === "open") return [];
  return schemes.map((scheme) => (scheme === "key" ? { email: [], key: [] } : { [scheme]: [] }));
}

/** Returns the tag of a route: `zones`, `accounts`, ..., or the collection below one of them that it belongs to. */
function tagger(routes: readonly RouteDescription[]): (route: RouteDescription) => string {
  const readable = new Set(routes.filter(({ method }) => method === "GET").map(({ path }) => path));
  return ({ path }) => {
    const [, top = "", item, below] = path.split("/");
    return below !== undefined && readable.has(`/${top}/${item}/${below}`) ? below : top;
  };
}

function pathParametersOf({ path, ids }: RouteDescription): object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string", pattern: (ids?.[name] ?? identifier).source },
  }));
}

function queryParametersOf({ schemas: { query } }: RouteDescription): object[] {
  return Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: query?.required?.includes(name) ?? false,
    description: schema.description,
    schema,
  }));
}

function pagingParametersOf({ list, cursorList }: RouteDescription): object[] {
  if (cursorList !== undefined) {
    return [
      parameter("cursor", { type: "string", description: "One of `result_info.cursors` of an answer." }),
      perPageParameter(cursorList.perPageDefault, cursorList.perPageMax),
    ];
  }
  if (list === undefined) return [];
  return [
    parameter("page", { type: "integer", minimum: 1, default: 1 }),
    perPageParameter(perPageDefault, list.perPageMax),
    parameter("order", { enum: list.orderings, default: list.orderings[0] }),
    parameter("direction", {
      enum: ["asc", "desc"],
      default: list.direction ?? "asc",
      description: "In upper or lower case.",
    }),
  ];
}

function parameter(name: string, schema: object): object {
  return { name, in: "query", schema };
}

function perPageParameter(byDefault: number, most: number): object {
  const description = `A number above ${most} is lowered to that.`;
  return parameter("per_page", { type: "integer", minimum: 1, default: byDefault, description });
}

function requestBodyOf({ method, schemas: { body }, uploadBytesMax }: RouteDescription): object | undefined {
  if (body === undefined) return undefined;
  const type = uploadBytesMax === undefined ? "application/json" : "multipart/form-data";
  return { required: method !== "DELETE", content: { [type]: { schema: withUnsetMembers(body) } } };
}

function answerOf(route: RouteDescription): Record<string, object> {
  if (route.textType !== undefined) return { [route.textType]: { schema: route.schemas.result } };
  const schema = route.isBare ? route.schemas.result : envelopeOf(route);
  return {
    "application/json": { schema },
    ...(route.progress && { [progressType]: { schema: { anyOf: [route.progress, schema] } } }),
  };
}

function envelopeOf({ list, cursorList, schemas: { result } }: RouteDescription): object {
  const isPart = list !== undefined || cursorList !== undefined;
  return {
    type: "object",
    properties: {
      result: isPart ? { type: "array", items: result } : result,
      ...(list && { result_info: resultInfo(list.orderings) }),
      ...(cursorList && { result_info: cursorInfo }),
      success: { const: true },
      errors: { type: "array", maxItems: 0 },
      messages,
    },
    required: ["result", ...(isPart ? ["result_info"] : []), "success", "errors", "messages"],
  };
}

/** The `result_info` of a list that is paginated by cursor. */
const cursorInfo = {
  type: "object",
  properties: {
    cursors: {
      type: "object",
      properties: { before: { type: "string" }, after: { type: "string" } },
      description: "Absent where nothing is before or after.",
    },
  },
  required: ["cursors"],
};

/** The `result_info` of a list, described with its ordering options. */
function resultInfo(orderings: readonly string[]): object {
  const names = ["page", "per_page", "count", "total_count", "total_pages"];
  return {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { type: "integer" }])),
    required: names,
    description: `Ordering options: ${orderings.map((name) => `\`${name}\``).join(", ")}.`,
    "x-ordering-options": orderings,
  };
}
