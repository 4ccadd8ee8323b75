import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { ownerEmail, ownerKey, ownerToken, type TestApp } from "./harness.ts";

const root = join(import.meta.dirname, "../..");
const clients = join(root, "test/clients");

/** A client in another language, which `npm run clients` installs where its toolchain is. */
export interface InstalledClient {
  readonly title: string;
  readonly directory: string;
  /** A digest of all that it is made of; beside the client, in `madeOf`. */
  readonly digest: string;
}

/** Python packages in an environment of their own. */
export interface PythonClient extends InstalledClient {
  readonly kind: "python";
  /** Files of pinned packages with hashes, one after the other. */
  readonly requirements: readonly string[];
}

/** A Go package of tests, built. */
export interface GoClient extends InstalledClient {
  readonly kind: "go";
  readonly source: string;
  readonly program: string;
}

export const pythonOfToday = python("Python with the packages of today", "current", ["current.txt"]);
export const pythonVersion2 = python("Python with cloudflare 2.x", "version-2", [
  "version-2-build.txt",
  "version-2.txt",
]);
export const goVersion0 = go("cloudflare-go 0.x", "v0");
export const goVersion6 = go("cloudflare-go 6.x", "v6");

function python(title: string, name: string, files: readonly string[]): PythonClient {
  const requirements = files.map((file) => join(clients, "python", file));
  const directory = join(root, "node_modules/.cache/clients/python", name);
  return { kind: "python", title, directory, requirements, digest: digestOf(requirements) };
}

function go(title: string, name: string): GoClient {
  const source = join(clients, "go");
  const files = [
    join(source, "go.mod"),
    join(source, "go.sum"),
    ...globSync(join(source, name, "*.go")).toSorted(),
  ];
  const directory = join(root, "node_modules/.cache/clients/go", name);
  return {
    kind: "go",
    title,
    directory,
    source: `./${name}`,
    program: join(directory, "walk"),
    digest: digestOf(files),
  };
}

function digestOf(files: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest("hex");
}

export const digestFile = ({ directory }: InstalledClient): string => join(directory, "made-of");

/** The reason why a test of the client cannot run; false if it can. */
export function missing(client: InstalledClient): string | false {
  const file = digestFile(client);
  if (existsSync(file) && readFileSync(file, "utf8") === client.digest) return false;
  return `${client.title} is not installed: npm run clients`;
}

export interface FinishedProgram {
  readonly code: number | null;
  /** Both streams, as they came. */
  readonly output: string;
}

/** Runs a program beside a server; the environment says where the server is and who its owner is. */
export async function runBeside(
  app: TestApp,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<FinishedProgram> {
  const child = spawn(program, args, {
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      ZONEWARD_URL: app.baseUrl,
      ZONEWARD_ACCOUNT: app.owner.accountId,
      ZONEWARD_EMAIL: ownerEmail,
      ZONEWARD_KEY: ownerKey,
      ZONEWARD_TOKEN: ownerToken,
      ...env,
    },
  });
  child.stdin.end();
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (part: string) => (output += part));
  }
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output };
}

/** A command of a Python client: `python`, or one of its packages. */
export const commandOf = ({ directory }: PythonClient, name: string): string => join(directory, "bin", name);
