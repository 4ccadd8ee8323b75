import { readFileSync } from "node:fs";

import { withoutReferences, type Schema } from "./references.ts";

export interface PublicOperation {
  /** The status of a success. */
  readonly status: number;
  /** The answer to a success; absent where that is not JSON. */
  readonly success?: Schema;
}

interface Document {
  readonly $defs: Readonly<Record<string, Schema>>;
  /** The answer to any success. */
  readonly envelope: Schema;
  /** An error answer, whatever the operation. */
  readonly failure: Schema;
  /** By method and path, with `{id}` for each parameter of the path. */
  readonly operations: Readonly<Record<string, PublicOperation>>;
}

const document = JSON.parse(readFileSync(new URL("public-schema.json", import.meta.url), "utf8")) as Document;

/** The answers that Zoneward serves too, in the public OpenAPI document of August 2024. */
export const publicOperations = document.operations;

/** Whether the schema of an answer says what its `result` has, and not only that there is one. */
export function describesResult(schema: unknown): boolean {
  return anyPart(schema, (part) => isText(part["result"]) || anyPart(part["result"], () => true));
}

/** Whether `says` holds of the properties that a schema asks for; of alternatives, all have to. */
function anyPart(schema: unknown, says: (properties: Schema) => boolean): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  const { properties, allOf = [], anyOf = [], items } = schema as SchemaParts;
  return (
    (properties !== undefined && says(properties)) ||
    allOf.some((part) => anyPart(part, says)) ||
    (anyOf.length > 0 && anyOf.every((part) => anyPart(part, says))) ||
    anyPart(items, says)
  );
}

interface SchemaParts {
  readonly properties?: Schema;
  readonly allOf?: readonly unknown[];
  readonly anyOf?: readonly unknown[];
  readonly items?: unknown;
}

const isText = (part: unknown): boolean =>
  typeof part === "object" && part !== null && "type" in part && part.type === "string";

/** The answers have one schema without references, so that the path of an error shows where in it the error is. */
export const successSchema = ({ success }: PublicOperation): Schema | undefined =>
  success && {
    allOf: [withoutReferences(document.envelope, document.$defs), withoutReferences(success, document.$defs)],
  };

export const failureSchema = withoutReferences(document.failure, document.$defs);

/** The key of an operation in `publicOperations`. */
export const publicName = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method} ${path.replaceAll(/\{\w+\}/g, "{id}")}`;
