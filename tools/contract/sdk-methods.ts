import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** A method of the TypeScript SDK, and the operation that it calls. */
export interface SdkMethod {
  /** Without its ending, below `resources` of the package: `zones/holds`. */
  readonly module: string;
  readonly className: string;
  readonly name: string;
  /** Methods and paths with `{id}` for each parameter: those of a zone and those of an account are one method. */
  readonly operations: readonly string[];
  /** The part of the answer that the declared type is about. */
  readonly answers: "result" | "items of the result" | "whole";
}

/** The directory of the SDK's modules. */
export const resources = join(dirname(fileURLToPath(import.meta.resolve("cloudflare"))), "resources");

/** All methods of the installed SDK that send a request. */
export function sdkMethods(): SdkMethod[] {
  const files = globSync("**/*.mjs", { cwd: resources }).toSorted();
  return files.flatMap((file) => {
    const module = file.replace(/\.mjs$/, "");
    const text = readFileSync(join(resources, file), "utf8");
    return [...text.matchAll(/^ {4}class (Base\w+) extends APIResource \{\n(.*?)^ {4}\}/gms)].flatMap(
      ([, className = "", body = ""]) =>
        [...body.matchAll(/^ {8}(\w+)\([^\n]*\) \{\n(.*?)^ {8}\}/gms)].flatMap(([, name = "", code = ""]) =>
          methodOf({ module, className, name }, code),
        ),
    );
  });
}

function methodOf(named: Pick<SdkMethod, "module" | "className" | "name">, code: string): SdkMethod[] {
  const call = /_client\s*\.(\w+)\(\s*(?:path ?`([^`]+)`|'([^']+)')/.exec(code);
  if (call === null) return [];
  const [, verb = "", template, text] = call;
  const path = template ?? text ?? "";
  const isList = verb === "getAPIList";
  const method = (isList ? (/method: '(\w+)'/.exec(code)?.[1] ?? "get") : verb).toUpperCase();
  const levels = path.includes("${accountOrZone}") ? ["accounts", "zones"] : [""];
  return [
    {
      ...named,
      operations: levels.map((level) => {
        const leveled = path.replace("${accountOrZone}", level).replaceAll(/\$\{\w+\}/g, "{id}");
        return `${method} ${leveled}`;
      }),
      answers: isList ? "items of the result" : code.includes("obj.result") ? "result" : "whole",
    },
  ];
}
