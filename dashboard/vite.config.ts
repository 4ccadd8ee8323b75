import { pathToFileURL } from "node:url";

import react from "@vitejs/plugin-react";
import { defineConfig, type HtmlTagDescriptor, type Plugin } from "vite";

const server = process.env["API_URL"] ?? "http://127.0.0.1:8787";

const app = `${import.meta.dirname}/src/app.tsx`;

/** React and what asks and routes: nothing of ours, so that a browser keeps it from one version to the next. */
const framework =
  /node_modules\/(?:react|react-dom|scheduler|use-sync-external-store|@tanstack)\/|preload-helper/;

/** The code that reads, checks and edits rules, which few pages need. */
const rules =
  /\/src\/(?:core\/)?(?:expression|rulesets)\/(?!phases)|\/features\/rules\/(?!scope|rule-definition|rule-form|rule-lines|enabled-switch|placed-rules|parameters\/surroundings)|\/named-lists\.ts$|\/expression-fields\.json$/;

/** The pages on which a visit begins: most of what they need every page needs. */
const firstPages = /\/features\/(?:home|zone-overview)\//;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), evaluateOperations(), preloadApp()],
  // The build of `rregex` for browsers, which its package offers to no `import`.
  resolve: { tsconfigPaths: true },
  build: {
    target: "es2023",
    // The policy of the server forbids inline scripts and data: fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: true,
    rolldownOptions: {
      // The operations take a second or two, as the server is loaded for them.
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: {
          // Over a slow link each further file takes its time.
          groups: [
            { name: "framework", test: framework, priority: 3 },
            {
              name: (id, context) => (isOfApp(id, (other) => context.getModuleInfo(other)) ? "app" : null),
              debugName: "app",
              priority: 2,
            },
            { name: "components", test: (id) => !rules.test(id), priority: 1, minShareCount: 2 },
            { name: "expressions", test: /\/expression\/checker\.ts$/ },
            { name: "rules", test: rules, minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: { proxy: { "/client": server, "/session": server, "/gateway/v1": server } },
});

type ModuleInfoOf = (id: string) => { readonly importedIds: readonly string[] } | null;

let ofApp: ReadonlySet<string> | undefined;

/** Whether a module of ours is in the file of the application, which imports it, itself or through others. */
function isOfApp(id: string, getModuleInfo: ModuleInfoOf): boolean {
  ofApp ??= importedBy(app, getModuleInfo);
  // Our own styles are few: one file has them all.
  return ofApp.has(id) || firstPages.test(id) || id.endsWith(".module.css");
}

function importedBy(id: string, getModuleInfo: ModuleInfoOf, found = new Set<string>()): Set<string> {
  // A package names all that it has.
  if (found.has(id) || id.includes("/node_modules/")) return found;
  found.add(id);
  for (const imported of getModuleInfo(id)?.importedIds ?? []) importedBy(imported, getModuleInfo, found);
  return found;
}

/** Puts the operations of the server where the dashboard imports them, without what serves them. */
function evaluateOperations(): Plugin {
  return {
    name: "evaluate-operations",
    load: {
      filter: { id: /\/src\/api\/operations\.ts$/ },
      async handler(id) {
        const { operationsByName } = (await import(pathToFileURL(id).href)) as Evaluated;
        return `export const operationsByName = ${JSON.stringify(operationsByName)};`;
      },
    },
  };
}

type Evaluated = typeof import("./src/api/operations.ts");

/** Lets a browser load what every page needs beside React, and not only after it. */
function preloadApp(): Plugin {
  return {
    name: "preload-app",
    transformIndexHtml: {
      order: "post",
      handler: (_, { bundle = {} }) => {
        const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
        const entry = chunks.find(({ isEntry }) => isEntry);
        const needed = chunks.filter(({ name }) => name === "app" || name === "components");
        const styles = new Set(needed.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]));
        const scripts = needed
          .map(({ fileName }) => fileName)
          .filter((file) => entry?.imports.includes(file) !== true);
        return [
          ...Array.from(styles, (file) => preload("preload", file, { as: "style" })),
          ...scripts.map((file) => preload("modulepreload", file)),
        ];
      },
    },
  };
}

function preload(rel: string, file: string, more: Record<string, string> = {}): HtmlTagDescriptor {
  return { tag: "link", attrs: { rel, ...more, crossorigin: true, href: `/${file}` }, injectTo: "head" };
}
