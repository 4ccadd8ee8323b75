import { readFileSync } from "node:fs";

import { withoutReferences, type Schema } from "./references.ts";

interface Document {
  /** The version of the npm package. */
  readonly version: string;
  readonly $defs: Readonly<Record<string, Schema>>;
  /** By method and path, with `{id}` for each parameter of the path. */
  readonly operations: Readonly<Record<string, Schema>>;
}

const document = JSON.parse(readFileSync(new URL("sdk-schema.json", import.meta.url), "utf8")) as Document;

export const sdkVersion = document.version;

/** The TypeScript SDK's declarations of the success answers that Zoneward serves too, read by `npm run contract`. */
export const sdkOperations: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries(document.operations).map(([name, schema]) => [
    name,
    withoutReferences(schema, document.$defs),
  ]),
);

/** Whether the SDK says more of an answer than that there is one. */
export function saysSomething({ properties, type }: Schema): boolean {
  const { result } = (properties ?? {}) as { result?: Schema };
  if (result === undefined) return type !== undefined;
  const described = (result["items"] ?? result) as Schema;
  return Object.keys(described).length > 0;
}
