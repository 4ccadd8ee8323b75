import { join } from "node:path";

import type { CodeSplittingGroup } from "rolldown";

import { isBuiltInModule } from "./built-in-modules.ts";

const server = "src/cli/serve.ts";
/**
 * Programs that load parts of the server in other processes and threads, or before it; programs that load little of
 * it count as one.
 */
const others = [
  ["src/files/compile-cache.ts", "src/gateway/development/chain-process.worker.ts"],
  ["src/main.ts"],
  ["src/cli/token.ts"],
  ["src/planes/dns/serve-dns.ts"],
  ["src/workers/serve-rule-parts.ts"],
  ["src/workers/serve-tasks.ts", "src/planes/edge/serve-edge.ts"],
] as const;

/**
 * Puts the modules of which a start of the server consists into a few files: to find and link a hundred files takes
 * Node.js a fifth of the start. Modules that the same ones of `others` load lie in one file, so none of these loads
 * more than it needs. What stands for modules of Node.js is one more file, as libraries beside the server need it too.
 */
export function serverChunks(root: string): CodeSplittingGroup {
  let names: ReadonlyMap<string, string> | undefined;
  return {
    debugName: "server",
    name: (id, bundle) => {
      if (isBuiltInModule(id)) return "built-in-modules";
      const importedBy = (module: string): readonly string[] =>
        bundle.getModuleInfo(module)?.importedIds ?? [];
      names ??= chunkNames(
        modulesOf([join(root, server)], importedBy),
        others.map((files) =>
          modulesOf(
            files.map((file) => join(root, file)),
            importedBy,
          ),
        ),
      );
      return names.get(id) ?? null;
    },
    // The dependencies are in the file of the same name, or in one that more of `others` load.
    includeDependenciesRecursively: false,
  };
}

function chunkNames(
  modules: ReadonlySet<string>,
  loaders: readonly ReadonlySet<string>[],
): Map<string, string> {
  const nameOf = (id: string): string =>
    ["server", ...loaders.flatMap((loads, at) => (loads.has(id) ? [at + 1] : []))].join("-");
  return new Map([...modules].map((id) => [id, nameOf(id)]));
}

/** Modules and what they import statically, over any number of steps. */
function modulesOf(
  modules: readonly string[],
  importedBy: (module: string) => readonly string[],
): Set<string> {
  const found = new Set(modules);
  // A set that grows while it is walked through.
  for (const each of found) for (const imported of importedBy(each)) found.add(imported);
  return found;
}
