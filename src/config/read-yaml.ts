import { readFileSync } from "node:fs";

/**
 * Reads a file of YAML, or of JSON, which YAML includes. Returns an `Error` on failure. The error quotes
 * nothing of the file, which may hold secrets.
 */
export async function readYaml(path: string): Promise<unknown> {
  const { parse } = await import("yaml");
  try {
    return parse(readFileSync(path, "utf8"));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return new Error(`${path} cannot be read: ${message.replace(/:?\n[^]*$/, "")}`);
  }
}
