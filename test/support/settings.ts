import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";

import { ConfigError, readConfig } from "../../src/config/config.ts";
import type { Config } from "../../src/config/settings.ts";
import { newDirectory } from "./harness.ts";

export async function configOf(args: readonly string[], env: Record<string, string> = {}): Promise<Config> {
  return (await readConfig(args, env)).config;
}

export async function issuesOf(args: readonly string[], env: Record<string, string> = {}): Promise<string[]> {
  try {
    await readConfig(args, env);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return [...error.issues];
  }
  return [];
}

export function settingsFile(t: TestContext, content: string, name = "zoneward.yaml"): string {
  const path = join(newDirectory(t), name);
  writeFileSync(path, content);
  return path;
}
