import { copyFileSync, existsSync, globSync } from "node:fs";
import { basename, join } from "node:path";

import { rolldown, type Plugin } from "rolldown";

import { builtInModules } from "./built-in-modules.ts";
import { serverChunks } from "./server-chunks.ts";
import { thirdPartyLicenses } from "./third-party-licenses.ts";

/** Packages that the bundle loads from `node_modules`: they hold files that are no JavaScript. */
const unbundledPackages = ["@nomicfoundation/edr", "rregex", "swagger-ui-dist"];
/** Packages that libraries try to load and do without; Zoneward installs none of them. */
const absentPackages = ["bufferutil", "pg-native", "utf-8-validate"];

/** The launcher runs it before the server is imported. */
const launched = "src/files/compile-cache.ts";
/** The part of the package that programs import, and its types. */
const library = { source: "src/testing/testing.ts", types: "src/testing/zoneward-testing.d.ts" };

/**
 * Bundles `src/main.ts`, and what the launcher runs before it, below `root`, the library, and every worker thread, into
 * the directory `target`, which is emptied first. All files lie beside each other: of the files of the tree, a source
 * names only worker threads by a path relative to `import.meta.url`.
 */
export async function bundleServer(root: string, target: string): Promise<void> {
  const workers = globSync("src/**/*.worker.ts", { cwd: root });
  const names = workers.map((file) => basename(file, ".ts"));
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`two worker threads have the name ${twice}.ts`);
  const hasLibrary = existsSync(join(root, library.source));
  const bundle = await rolldown({
    cwd: root,
    input: {
      main: "src/main.ts",
      // Modules that are imported after it has run are kept compiled.
      ...(existsSync(join(root, launched)) && { [basename(launched, ".ts")]: launched }),
      ...(hasLibrary && { testing: library.source }),
      ...Object.fromEntries(workers.map((file) => [basename(file, ".ts"), file])),
    },
    platform: "node",
    // A file may export more than its source, for the files beside it.
    preserveEntrySignatures: "allow-extension",
    external: [...unbundledPackages, ...absentPackages].map((name) => new RegExp(`^${name}(?:/|$)`)),
    plugins: [builtInModules(), workerUrls(), thirdPartyLicenses()],
    // The dynamic imports of the sources say what is lazy in them; a library may load the same for its own use.
    checks: { ineffectiveDynamicImport: false },
  });
  try {
    await bundle.write({
      dir: target,
      cleanDir: true,
      entryFileNames: "[name].js",
      chunkFileNames: "[name]-[hash].js",
      codeSplitting: { groups: [serverChunks(root)] },
      minify: {
        // Stack traces tell names.
        mangle: { keepNames: true },
        // One character beyond Latin-1 would make V8 keep two octets for each of a file.
        codegen: { asciiOnly: true },
      },
      comments: false,
      sourcemap: true,
      sourcemapExcludeSources: true,
    });
    if (hasLibrary) copyFileSync(join(root, library.types), join(target, "testing.d.ts"));
  } finally {
    await bundle.close();
  }
}

/**
 * `new Worker(new URL("./x.worker.ts", import.meta.url))` starts the source; in the bundle the entry is `x.worker.js`,
 * beside whatever file starts it.
 */
function workerUrls(): Plugin {
  return {
    name: "worker-urls",
    transform: {
      filter: { id: /[\\/]src[\\/].*\.ts$/, code: /\.worker\.ts["']/ },
      handler(code) {
        const urls = /(["'])\.[^"'\n]*\/([^"'/\n]+\.worker)\.ts\1(?=\s*,\s*import\.meta\.url)/g;
        // The length stays the same: the following text stays where source maps have it.
        const inBundle = (url: string, quote: string, name: string): string =>
          `${quote}./${name}.js${quote}`.padEnd(url.length);
        return { code: code.replaceAll(urls, inBundle), map: null };
      },
    },
    generateBundle(_, output) {
      for (const chunk of Object.values(output)) {
        if (chunk.type === "chunk" && /\.worker\.ts["'`]/.test(chunk.code)) {
          throw new Error(
            `${chunk.fileName} names a worker thread other than by new URL(…, import.meta.url)`,
          );
        }
      }
    },
  };
}
