import { readFileSync } from "node:fs";
import { compileExpression, type CompileOptions } from "../core/expression/compile/compile.ts";
import { ContextError, createContext, toData, type RequestContext } from "../core/expression/context.ts";
import type { Decision } from "../core/expression/compile/explain.ts";
import { ExpressionError } from "../core/expression/expression-error.ts";
import { phases, planOrder } from "../core/expression/phases.ts";
import { isJsonObject } from "../core/json.ts";
import { createEngines } from "../engines/engines.ts";
import { parseFlags, UsageError } from "./command-line.ts";

const refused = 1;
const usageError = 2;

interface Command {
  readonly action: "check" | "explain";
  readonly source: string;
  readonly options: CompileOptions;
  readonly contextFile: string;
}

/**
 * `zoneward expression check | explain`. Returns 0 for a valid expression, 1 for an invalid one, 2 for a
 * wrong command line.
 */
export async function runExpression(args: readonly string[]): Promise<number> {
  try {
    const command = readCommand(args);
    const context = command.action === "explain" ? readContext(command.contextFile) : undefined;
    process.stdout.write(await answer(command, context));
    return 0;
  } catch (error) {
    if (error instanceof ExpressionError) {
      process.stderr.write(`${error.message.trimEnd()}\n`);
      return refused;
    }
    if (error instanceof UsageError || error instanceof ContextError) {
      process.stderr.write(`zoneward: ${error.message}; see zoneward expression --help\n`);
      return usageError;
    }
    throw error;
  }
}

function readCommand(args: readonly string[]): Command {
  const { values, positionals } = parse(args);
  const [action, source, ...others] = positionals;
  if (action !== "check" && action !== "explain") throw new UsageError("expected `check` or `explain`");
  if (source === undefined || others.length > 0) throw new UsageError("expected one expression");
  return {
    action,
    source,
    options: {
      phase: oneOf("--phase", values.phase, phases),
      plan: oneOf("--plan", values.plan, planOrder),
    },
    contextFile: values.context,
  };
}

function parse(args: readonly string[]) {
  return parseFlags({
    args: [...args],
    allowPositionals: true,
    options: {
      phase: { type: "string" },
      plan: { type: "string" },
      context: { type: "string", default: "-" },
    },
  });
}

function oneOf<Name extends string>(
  flag: string,
  value: string | undefined,
  names: readonly Name[],
): Name | undefined {
  const name = names.find((one) => one === value);
  if (value !== undefined && name === undefined) {
    throw new UsageError(`${flag} must be one of: ${names.join(", ")}`);
  }
  return name;
}

const standardInput = 0;

function readContext(file: string): RequestContext {
  const text = readText(file);
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw new UsageError("the context is not JSON");
  }
  if (!isJsonObject(data)) throw new UsageError("the context must be a JSON object");
  return createContext(data);
}

function readText(file: string): string {
  try {
    return readFileSync(file === "-" ? standardInput : file, "utf8");
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function answer({ source, options }: Command, context: RequestContext | undefined): Promise<string> {
  const compiled = compileExpression(source, createEngines(), options);
  try {
    if (context === undefined) return "";
    const { value, decidedBy } = compiled.explain(context);
    return [`${value}`, ...decidedBy.map(printDecision), ""].join("\n");
  } finally {
    compiled.free();
  }
}

function printDecision({ text, value, looked }: Decision): string {
  const lines = looked.map(({ at, found }) => `      ${at}: ${JSON.stringify(toData(found)) ?? "missing"}`);
  return [`  ${value ? "true " : "false"} ${text}`, ...lines].join("\n");
}
