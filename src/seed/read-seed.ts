import { Ajv } from "ajv";

import { readYaml } from "../config/read-yaml.ts";
import { Seed } from "./schema.ts";

/** All errors of a seed, each with its place in the file; nothing was stored. */
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
  const issues = (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const extra: unknown = params["additionalProperty"];
    const place = instancePath === "" ? "the file" : instancePath.slice(1);
    return typeof extra === "string" ? `${place}: unknown key \`${extra}\`` : `${place}: ${message}`;
  });
  throw new SeedError([...new Set(issues)]);
}
