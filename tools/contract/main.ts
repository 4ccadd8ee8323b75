import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { operations } from "../../src/server/operations.ts";
import { publicName } from "../../test/contract/public-schema.ts";
import type { Schema } from "../../test/contract/references.ts";
import { merged } from "./merged.ts";
import { resources, sdkMethods, type SdkMethod } from "./sdk-methods.ts";
import { schemasOf } from "./sdk-types.ts";

/** Modules of the SDK in the areas that Zoneward covers. */
const areas = new Set([
  "accounts",
  "acm",
  "cache",
  "custom-certificates",
  "dns",
  "filters",
  "firewall",
  "iam",
  "managed-transforms",
  "memberships",
  "page-rules",
  "rules",
  "rulesets",
  "ssl",
  "url-normalization",
  "user",
  "web3",
  "zones",
]);

// `npm run contract`: writes down what the TypeScript SDK that is installed says of the operations of our areas, served
// or not, and of any others that are served.
const served = new Set(operations.map(publicName));
const methods = sdkMethods().filter(
  ({ module, operations: names }) =>
    areas.has(module.split("/")[0] ?? "") || names.some((name) => served.has(name)),
);
const { defs, schemas } = schemasOf(methods);

const entries = methods.flatMap((method, index) =>
  method.operations.map((name) => [name, answerOf(method, schemas[index] ?? {})] as const),
);
const byName = Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
const { version } = JSON.parse(readFileSync(join(resources, "../package.json"), "utf8")) as {
  version: string;
};
const once = merged(defs, byName);
const document = { version, $defs: sorted(once.defs), operations: once.schemas };
writeFileSync(
  new URL("../../test/contract/sdk-schema.json", import.meta.url),
  `${JSON.stringify(document, null, 1)}\n`,
);

function answerOf({ answers }: SdkMethod, schema: Schema): Schema {
  if (answers === "whole") return schema;
  const result = answers === "result" ? schema : { type: "array", items: schema };
  return { type: "object", required: ["result"], properties: { result } };
}

function sorted(record: Readonly<Record<string, Schema>>): Record<string, Schema> {
  return Object.fromEntries(Object.entries(record).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
