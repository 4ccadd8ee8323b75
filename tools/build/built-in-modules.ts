import { isBuiltin } from "node:module";

import type { Plugin } from "rolldown";

const mark = "\0built-in:";

/** Whether a module of the bundle stands for one of Node.js. */
export const isBuiltInModule = (id: string): boolean => id.startsWith(mark);

/**
 * Takes the modules of Node.js by `process.getBuiltinModule`. An `import` of one reads every name that it exports, and
 * Node.js loads what stands behind them, its own `fetch` and assertions among it.
 */
export function builtInModules(): Plugin {
  return {
    name: "built-in-modules",
    resolveId(source, importer, { kind }) {
      // The bundler's own module makes the others: it cannot wait for them.
      if (kind !== "import-statement" || importer?.startsWith("\0") || !isBuiltin(source)) return null;
      return mark + source;
    },
    load: {
      filter: { id: new RegExp(`^${mark}`) },
      handler: (id) => `module.exports = process.getBuiltinModule(${JSON.stringify(id.slice(mark.length))});`,
    },
  };
}
