import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { Plugin } from "rolldown";

/** Writes `third-party-licenses.txt`: the licence of every package that is part of the bundle. */
export function thirdPartyLicenses(): Plugin {
  return {
    name: "third-party-licenses",
    generateBundle(_, output) {
      const modules = Object.values(output).flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
      const directories = new Set(
        modules.map(packageDirectory).filter((directory) => directory !== undefined),
      );
      const licences = [...directories].toSorted().map(licenceOf);
      this.emitFile({
        type: "asset",
        fileName: "third-party-licenses.txt",
        source: licences.join(`\n${"-".repeat(80)}\n\n`),
      });
    },
  };
}

function packageDirectory(module: string): string | undefined {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module.replaceAll("\\", "/"))?.[0];
}

function licenceOf(directory: string): string {
  const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as {
    name: string;
    version: string;
    license?: string;
  };
  const files = globSync("{LICENSE,LICENCE,License,license,COPYING,NOTICE}*", { cwd: directory });
  const texts = files.toSorted().map((file) => readFileSync(join(directory, file), "utf8").trim());
  return [`${manifest.name} ${manifest.version} (${manifest.license ?? "see below"})`, ...texts, ""].join(
    "\n\n",
  );
}
