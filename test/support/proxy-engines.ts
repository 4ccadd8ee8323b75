import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";

import { newDirectory, until } from "./harness.ts";

/** A reverse proxy of others, which runs a configuration that a page of the documents shows. */
interface ProxyEngine {
  readonly command: string;
  /** The language of the block of code in the document. */
  readonly language: string;
  /** The heading of the part of the document that has the block. */
  readonly heading: string;
  /** Writes the configuration into a directory, and answers the arguments with which the proxy listens at `port`. */
  readonly configure: (directory: string, configuration: string, port: number) => readonly string[];
}

const nginx: ProxyEngine = {
  command: "nginx",
  language: "nginx",
  heading: "## nginx",
  configure: (directory, configuration) => {
    const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    const temporary = paths.map((name) => `${name}_temp_path ${directory}/${name};`).join("\n");
    writeFileSync(
      join(directory, "nginx.conf"),
      `daemon off; master_process off; pid ${directory}/nginx.pid; error_log stderr;
events {}
http {
access_log off;
${temporary}
${configuration}
}
`,
    );
    return ["-p", directory, "-e", "stderr", "-c", join(directory, "nginx.conf")];
  },
};

const caddy: ProxyEngine = {
  command: "caddy",
  language: "caddyfile",
  heading: "## Caddy",
  configure: (directory, configuration) => {
    const options = `{\n\tadmin off\n\tauto_https off\n\tstorage file_system ${directory}\n}\n`;
    writeFileSync(join(directory, "Caddyfile"), options + configuration);
    return ["run", "--adapter", "caddyfile", "--config", join(directory, "Caddyfile")];
  },
};

/** Debian has none: where it is installed by hand. */
const traefik: ProxyEngine = {
  command: "traefik",
  language: "yaml",
  heading: "## Traefik",
  configure: (directory, configuration, port) => {
    const file = join(directory, "dynamic.yaml");
    writeFileSync(file, configuration);
    return [
      `--entryPoints.web.address=127.0.0.1:${port}`,
      `--providers.file.filename=${file}`,
      "--global.checkNewVersion=false",
      "--global.sendAnonymousUsage=false",
    ];
  },
};

export const proxyEngines = { nginx, caddy, traefik } as const;

/** The reason why the tests of a proxy are skipped; false where it is installed. */
export function withoutProxy({ command }: ProxyEngine): string | false {
  const isThere = spawnSync(command, [command === "nginx" ? "-v" : "version"]).error === undefined;
  return isThere ? false : `${command} is not installed`;
}

/** The first block of code in a language of a document, or after a heading of it. */
export function documentedBlock(path: string, language: string, heading = ""): string {
  const document = readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
  const text = document.slice(document.indexOf(heading));
  const block = text.split(`\`\`\`${language}\n`)[1]?.split("```")[0];
  if (block === undefined) throw new Error(`${path} has no block of ${language}`);
  return block;
}

/** Runs a proxy until the test ends; resolves once it listens at `port` of loopback. */
export async function startProxy(
  t: TestContext,
  { command, configure }: ProxyEngine,
  configuration: string,
  port: number,
): Promise<void> {
  const directory = newDirectory(t);
  const child = spawn(command, configure(directory, configuration, port), {
    cwd: directory,
    env: { ...process.env, HOME: directory, XDG_CONFIG_HOME: directory, XDG_DATA_HOME: directory },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (part: Buffer) => (said += part.toString()));
  t.after(async () => {
    if (child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  });
  await until(`${command} listens`, async () => {
    if (child.exitCode !== null) throw new Error(`${command} ended: ${said}`);
    return isOpen(port);
  });
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
