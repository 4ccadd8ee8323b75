import { Ajv, type ErrorObject } from "ajv";

import { readYaml } from "../config/read-yaml.ts";
import { Seed } from "./schema.ts";

/** All errors of a seed, each with its place in the file. Nothing was stored. */
export class SeedError extends Error {
  readonly issues: readonly string[];

  constructor(issues: readonly string[]) {
    super(`the seed has errors:\n${issues.map((issue) => `  ${issue}`).join("\n")}`);
    this.name = "SeedError";
    this.issues = issues;
  }
}

/** Reads a seed file, YAML or JSON. Throws `SeedError` with all errors of its form. */
export async function readSeed(path: string): Promise<Seed> {
  const seed = (await readYaml(path)) ?? {};
  if (seed instanceof Error) throw new SeedError([seed.message]);
  const validate = new Ajv({ strict: false, allErrors: true }).compile<Seed>(Seed);
  if (validate(seed)) return seed;
  throw new SeedError(issuesOf(validate.errors ?? []));
}

/** The issues of a seed. All alternatives of a union count as one, as each of them fails. */
function issuesOf(errors: readonly ErrorObject[]): string[] {
  const failures = errors.filter(({ keyword }) => keyword !== "anyOf");
  return [...Map.groupBy(failures, ({ instancePath }) => instancePath)].flatMap(([path, ofPlace]) => {
    const {
      const: values = [],
      type: types = [],
      ...others
    } = Object.groupBy(ofPlace, ({ keyword }) => keyword);
    const rules = [
      ...alternatives("must be one of: ", ", ", values, "allowedValue"),
      ...alternatives("must be ", " or ", types, "type"),
      ...Object.values(others).flatMap((rest) => (rest ?? []).map(describe)),
    ];
    return rules.map((rule) => `${path === "" ? "the file" : path.slice(1)}: ${rule}`);
  });
}

function alternatives(
  start: string,
  between: string,
  errors: readonly ErrorObject[],
  param: string,
): string[] {
  return errors.length === 0 ? [] : [start + errors.map(({ params }) => String(params[param])).join(between)];
}

function describe({ message, params }: ErrorObject): string {
  const { additionalProperty: extra, missingProperty: missing } = params as Record<string, unknown>;
  if (typeof extra === "string") return `unknown key \`${extra}\``;
  return typeof missing === "string" ? `\`${missing}\` is missing` : String(message);
}
