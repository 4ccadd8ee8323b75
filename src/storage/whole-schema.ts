/**
 * SQL that gives an empty SQLite store all that the migrations would. The bundle has it, made from the migrations by the
 * build (tools/build/whole-schema.ts); undefined in the sources, where the migrations run.
 */
export const wholeSchema: string | undefined = undefined;
