import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { API, SymbolFlags, TypeFlags, type Checker, type Symbol, type Type } from "typescript/unstable/sync";

import type { Schema } from "../../test/contract/references.ts";
import { resources, type SdkMethod } from "./sdk-methods.ts";

const directory = join(import.meta.dirname, "../../node_modules/.cache/sdk-types");

/** The JSON Schemas of what methods of the SDK answer, in the order of the methods, and what these refer to. */
export function schemasOf(methods: readonly SdkMethod[]): {
  defs: Record<string, Schema>;
  schemas: Schema[];
} {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "answers.ts"), methods.map(declarationOf).join("\n"));
  const project = join(directory, "tsconfig.json");
  const compilerOptions = { strict: true, module: "nodenext", target: "esnext", noEmit: true };
  writeFileSync(project, JSON.stringify({ compilerOptions, files: ["answers.ts"] }));
  const api = new API();
  try {
    const program = api.updateSnapshot({ openProjects: [project] }).getProject(project);
    if (program === undefined) throw new Error("TypeScript did not open the project");
    return readSchemas(program.checker, methods.length);
  } finally {
    api.close();
  }
}

function declarationOf({ module, className, name }: SdkMethod, index: number): string {
  const from = `import("cloudflare/resources/${module}")`;
  const known = knownAlternative(module, name);
  if (known !== undefined) return `export declare const answer${index}: ${from}.${known};`;
  const promise = `ReturnType<${from}.${className}["${name}"]>`;
  const page = `import("cloudflare/core/pagination").PagePromise<any, infer Item>`;
  return `export declare const answer${index}: ${promise} extends ${page} ? Item : Awaited<${promise}>;`;
}

/**
 * The alternative of an answer that is declared as `Ruleset | unknown`, which to TypeScript is the same as `unknown`.
 */
function knownAlternative(module: string, method: string): string | undefined {
  const text = readFileSync(join(resources, `${module}.d.ts`), "utf8");
  const answer = new RegExp(String.raw`^ {4}${method}\([^\n]*\): APIPromise<(\w+)>;`, "m").exec(text)?.[1];
  return answer && new RegExp(String.raw`^export type ${answer} = ([\w.]+) \| unknown;`, "m").exec(text)?.[1];
}

function readSchemas(checker: Checker, count: number): { defs: Record<string, Schema>; schemas: Schema[] } {
  const file = join(directory, "answers.ts");
  const reader = new SchemaReader(checker);
  const schemas = Array.from({ length: count }, (_, index) => {
    const symbol = checker.resolveName(`answer${index}`, SymbolFlags.Variable, {
      document: file,
      position: 0,
    });
    const type = symbol && checker.getTypeOfSymbol(symbol);
    if (type === undefined) throw new Error(`no type of answer ${index}`);
    return reader.schemaOf(type);
  });
  return { defs: reader.defs, schemas };
}

class SchemaReader {
  readonly defs: Record<string, Schema> = {};
  readonly #names = new Map<number, string>();
  readonly #checker: Checker;

  constructor(checker: Checker) {
    this.#checker = checker;
  }

  schemaOf(type: Type): Schema {
    if (type.isErrorType()) throw new Error("a type that TypeScript does not find");
    const { flags } = type;
    if ((flags & (TypeFlags.Any | TypeFlags.Unknown)) !== 0) return {};
    if ((flags & TypeFlags.Null) !== 0) return { type: "null" };
    if ((flags & (TypeFlags.Void | TypeFlags.Undefined)) !== 0) return {};
    if (type.isStringLiteralType() || type.isNumberLiteralType() || type.isBooleanLiteralType()) {
      return { enum: [type.value] };
    }
    if ((flags & TypeFlags.String) !== 0) return { type: "string" };
    if ((flags & TypeFlags.Number) !== 0) return { type: "number" };
    if ((flags & TypeFlags.Boolean) !== 0) return { type: "boolean" };
    if (type.isUnionType()) return this.#unionOf(type.getTypes());
    if (type.isIntersectionType()) return this.#intersectionOf(type);
    if (this.#checker.isArrayType(type)) {
      const [item] = this.#checker.getTypeArguments(type as never);
      return { type: "array", items: item === undefined ? {} : this.schemaOf(item) };
    }
    return this.#objectOf(type);
  }

  #unionOf(types: readonly Type[]): Schema {
    const schemas = types
      .filter(({ flags }) => (flags & TypeFlags.Undefined) === 0)
      .map((type) => this.schemaOf(type));
    const values = schemas.flatMap((schema) =>
      Array.isArray(schema["enum"]) ? (schema["enum"] as unknown[]) : [],
    );
    const others = schemas.filter((schema) => schema["enum"] === undefined);
    const isBoolean = values.includes(true) && values.includes(false);
    const literals = isBoolean ? values.filter((value) => typeof value !== "boolean") : values;
    const alternatives = [
      ...(literals.length > 0 ? [{ enum: literals.toSorted(byText) }] : []),
      ...(isBoolean ? [{ type: "boolean" }] : []),
      ...others,
    ];
    if (alternatives.some((schema) => Object.keys(schema).length === 0)) return {};
    return alternatives.length === 1 ? (alternatives[0] as Schema) : { anyOf: alternatives };
  }

  /** `string & {}` is any text, beside texts that are known. */
  #intersectionOf(type: Type & { getTypes(): readonly Type[] }): Schema {
    const plain = type.getTypes().find(({ flags }) => (flags & (TypeFlags.String | TypeFlags.Number)) !== 0);
    return plain === undefined ? this.#propertiesOf(type) : this.schemaOf(plain);
  }

  #objectOf(type: Type): Schema {
    const symbol = type.getSymbol();
    if (symbol === undefined || !type.isClassOrInterface()) return this.#propertiesOf(type);
    const known = this.#names.get(type.id);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    const name = this.#newName(nameOf(symbol));
    this.#names.set(type.id, name);
    this.defs[name] = this.#propertiesOf(type);
    return { $ref: `#/$defs/${name}` };
  }

  #newName(wanted: string): string {
    const taken = new Set(this.#names.values());
    let name = wanted;
    for (let count = 2; taken.has(name); count += 1) name = `${wanted}${count}`;
    return name;
  }

  #propertiesOf(type: Type): Schema {
    const properties: Record<string, Schema> = {};
    const required: string[] = [];
    for (const property of this.#checker.getPropertiesOfType(type)) {
      const value = this.#checker.getTypeOfSymbol(property);
      properties[property.name] = value === undefined ? {} : this.schemaOf(value);
      if ((property.flags & SymbolFlags.Optional) === 0) required.push(property.name);
    }
    const [index] = this.#checker.getIndexInfosOfType(type);
    return {
      type: "object",
      ...(required.length > 0 && { required: required.toSorted() }),
      ...(Object.keys(properties).length > 0 && { properties }),
      ...(index !== undefined && { additionalProperties: this.schemaOf(index.valueType) }),
    };
  }
}

function nameOf(symbol: Symbol): string {
  const parent = symbol.getParent();
  const isModule = parent === undefined || parent.name.startsWith('"') || parent.name.includes("/");
  return isModule ? symbol.name : `${nameOf(parent)}.${symbol.name}`;
}

const byText = (one: unknown, other: unknown): number => (String(one) < String(other) ? -1 : 1);
