import {
  execute,
  GraphQLError,
  Kind,
  MaxIntrospectionDepthRule,
  parse,
  specifiedRules,
  validate,
  visit,
  type DocumentNode,
} from "graphql";
import { AppError, invalidIdentifier } from "../../core/error.ts";
import { isNestedDeeper } from "../../core/json.ts";
import type { QueriedZonesRead } from "../../operation/queried-zones.ts";
import { countSecurityEvents } from "./count-events.ts";
import { FilterTooLargeError } from "./filter.ts";
import { budgetError, QueryBudget, type EventReader } from "./graphql-types.ts";
import { graphqlSchema } from "./graphql-schema.ts";
import type { GraphqlAnswer, GraphqlBody } from "./schema.ts";
import { listSecurityEvents } from "./security-events.ts";

const tokensMax = 1_000;
const errorsMax = 20;
const nestingMax = 20;

/**
 * Answers a query (docs/contract/security-events.md#graphql). With `errors`, `data` is null. A zone without
 * access is answered like an unknown one.
 */
export async function answerQuery(
  work: Pick<QueriedZonesRead, "db" | "now" | "authorizeZone">,
  { query, variables, operationName }: GraphqlBody,
): Promise<GraphqlAnswer> {
  const refuse = (errors: readonly Error[]): GraphqlAnswer => ({
    data: null,
    errors: errors.map((error) => toAnswerError(error, work.now)),
  });
  if (isNestedDeeper(JSON.stringify(variables ?? null), nestingMax)) {
    return refuse([budgetError(`variables may be nested ${nestingMax} deep`)]);
  }
  const document = readDocument(query);
  if (document instanceof Error) return refuse([document]);
  const issues = validate(graphqlSchema, document, [...specifiedRules, MaxIntrospectionDepthRule], {
    maxErrors: errorsMax,
  });
  if (issues.length > 0) return refuse(issues);
  const { data, errors = [] } = await execute({
    schema: graphqlSchema,
    document,
    contextValue: { reader: readerOf(work), budget: new QueryBudget() },
    variableValues: variables,
    operationName,
    options: { maxCoercionErrors: errorsMax },
  });
  if (errors.length > 0) return refuse(errors);
  return { data: data ?? null, errors: null };
}

function readDocument(query: string): DocumentNode | GraphQLError {
  try {
    return withPublicScalars(parse(query, { maxTokens: tokensMax, noLocation: false }));
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

/** Variables may use the scalars of GraphQL or those of the public schema. */
const publicScalars: ReadonlyMap<string, string> = new Map([
  ["String", "string"],
  ["ID", "string"],
  ["Int", "uint16"],
  ["uint64", "uint16"],
]);

function withPublicScalars(document: DocumentNode): DocumentNode {
  return visit(document, {
    [Kind.NAMED_TYPE]: (node) => {
      const value = publicScalars.get(node.name.value);
      return value === undefined ? undefined : { ...node, name: { ...node.name, value } };
    },
  });
}

function readerOf({ db, authorizeZone }: Pick<QueriedZonesRead, "db" | "authorizeZone">): EventReader {
  let last: Promise<unknown> = Promise.resolve();
  return {
    authorizeZone: async (zoneTag) => {
      try {
        if (!/^[0-9a-f]{32}$/.test(zoneTag)) throw invalidIdentifier("zone");
        await authorizeZone(zoneTag);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        throw new GraphQLError("not authorized for that zone", { extensions: { code: "authz" } });
      }
    },
    listEvents: async (zoneTag, query) => withinBudget(listSecurityEvents(db, zoneTag, query)),
    // One dataset after the other, as each holds its groups in memory.
    countEvents: async (zoneTag, query) => {
      const counted = last.then(() => withinBudget(countSecurityEvents(db, zoneTag, query)));
      last = counted.catch(() => {});
      return counted;
    },
  };
}

async function withinBudget<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof FilterTooLargeError)) throw error;
    throw budgetError(error.message);
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof AppError && (error.kind === "not-found" || error.kind === "forbidden");
}

type AnswerError = NonNullable<GraphqlAnswer["errors"]>[number];

/** Rethrows unexpected errors, which the transport answers without details. */
function toAnswerError(error: Error, now: Date): AnswerError {
  if (!(error instanceof GraphQLError)) throw error;
  const { message, path, locations, originalError, extensions } = error;
  if (originalError !== undefined && !(originalError instanceof GraphQLError)) throw originalError;
  const [place] = path === undefined ? (locations ?? []) : [];
  const { code } = extensions;
  return {
    message: place === undefined ? message : `${message} (line ${place.line}, column ${place.column})`,
    path: path?.map(String) ?? null,
    extensions: { timestamp: now.toISOString(), ...(typeof code === "string" && { code }) },
  };
}
