import { differences, sdkDifferences } from "../contract/differences.ts";
import { publicName, publicOperations, successSchema } from "../contract/public-schema.ts";
import type { Schema } from "../contract/references.ts";
import { sdkOperations } from "../contract/sdk-schema.ts";
import { inGeneral, reasonedViolations } from "../contract/success-answers.ts";
import { violations } from "../contract/violations.ts";
import type { TestAnswer } from "../support/harness.ts";
import type { Operation } from "./fuzzed-request.ts";

const reasonedOfDocument = reasonedViolations(differences);
const reasonedOfSdk = reasonedViolations(sdkDifferences);
/** A schema that is compiled once is the same object each time. */
const documentSchemas = new Map<string, Schema | undefined>();

/** The difference of a success from the public document or the SDK, unless it has a reason. */
export function contractComplaint(
  operation: Pick<Operation, "method" | "path" | "operationId">,
  { status, body, headers }: TestAnswer,
): string | undefined {
  if (status !== 200 || headers.get("content-type")?.startsWith("application/json") !== true)
    return undefined;
  const name = publicName(operation);
  if (!documentSchemas.has(name)) {
    const known = publicOperations[name];
    documentSchemas.set(name, known && successSchema(known));
  }
  const complaints = [
    ...unreasoned(operation, documentSchemas.get(name), body, reasonedOfDocument).map(
      (text) => `document: ${text}`,
    ),
    ...unreasoned(operation, sdkOperations[name], body, reasonedOfSdk).map((text) => `SDK: ${text}`),
  ];
  return complaints.length === 0 ? undefined : complaints.join(", ");
}

function unreasoned(
  { operationId }: Pick<Operation, "operationId">,
  schema: Schema | undefined,
  body: unknown,
  reasoned: ReadonlySet<string>,
): string[] {
  if (schema === undefined) return [];
  return violations(schema, body)
    .map(inGeneral)
    .filter((violation) => !reasoned.has(`${operationId}: ${violation}`));
}
