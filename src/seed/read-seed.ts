import { readFileSync } from "node:fs";

import { Ajv } from "ajv";

import { Seed } from "./schema.ts";

/** A seed that cannot be applied: every error, each with its place in the file. Nothing of it was stored. */
export class SeedError extends Error {
  readonly issues: readonly string[];

  constructor(issues: readonly string[]) {
    super(`the seed has errors:\n${issues.map((issue) => `  ${issue}`).join("\n")}`);
    this.name = "SeedError";
    this.issues = issues;
  }
}

/**
 * Reads a seed file, YAML or JSON, and checks its form.
 * Throws `SeedError` with all errors in its form.
 */
export async function readSeed(path: string): Promise<Seed> {
  // YAML is a superset of JSON; few starts have a seed, so what reads one is loaded here.
  const { parse } = await import("yaml");
  let content: unknown;
  try {
    content = parse(readFileSync(path, "utf8")) ?? {};
  } catch (error) {
    // The lines after the first quote the file, and with it perhaps a secret.
    const message = error instanceof Error ? error.message : String(error);
    throw new SeedError([`${path} cannot be read: ${message.replace(/:?\n[^]*$/, "")}`]);
  }
  const validate = new Ajv({ strict: false, allErrors: true }).compile<Seed>(Seed);
  if (validate(content)) return content;
  const issues = (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const extra: unknown = params["additionalProperty"];
    const place = instancePath === "" ? "the file" : instancePath.slice(1);
    return typeof extra === "string" ? `${place}: unknown key \`${extra}\`` : `${place}: ${message}`;
  });
  throw new SeedError([...new Set(issues)]);
}
