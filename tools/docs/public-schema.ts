import { differences, sdkDifferences, type Difference } from "../../test/contract/differences.ts";
import { describesResult, publicOperations, successSchema } from "../../test/contract/public-schema.ts";
import { sdkVersion } from "../../test/contract/sdk-schema.ts";

/** `docs/contract/public-schema.md`: how answers differ from the public OpenAPI document, and why. */
export function publicSchemaPage(): string {
  const operations = Object.values(publicOperations);
  const described = operations.filter((operation) => describesResult(successSchema(operation)));
  return `# Answers beside the public OpenAPI document

<!-- Made by \`npm run docs\`. -->

[A test](../../test/contract/public-schema.test.ts) sends a valid request to each of the ${operations.length} operations that
Zoneward and the public OpenAPI document of August 2024 both have, and validates the answer to it, and the answers to
bad requests. Of ${described.length} operations the document describes the result; of the others only the envelope, or that there
is no JSON. Fields that the document does not have are allowed.

An answer that does not fit fails the test, unless it is one of these differences; one that is no longer there fails
too. \`/result\` is the result, or each item of it.

| Operations | What the validator says | Reason |
| --- | --- | --- |
${rowsOf(differences)}

## Beside the SDK

[Another test](../../test/contract/sdk-schema.test.ts) validates the success answers against the types that the TypeScript
SDK ${sdkVersion} declares, written down as [JSON Schemas](../../test/contract/sdk-schema.json) by \`npm run contract\`, in
the same way.

| Operations | What the validator says | Reason |
| --- | --- | --- |
${rowsOf(sdkDifferences)}
`;
}

function rowsOf(all: readonly Difference[]): string {
  return all
    .map(
      ({ operations: names, violations, reason }) =>
        `| ${listed(names)} | ${listed(violations.map((violation) => violation.replaceAll("|", "\\|")))} | ${reason} |`,
    )
    .join("\n");
}

const listed = (texts: readonly string[]): string => texts.map((text) => `\`${text}\``).join(", ");
