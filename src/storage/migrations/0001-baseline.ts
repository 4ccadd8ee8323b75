import { execute, wholeSchema, type SchemaChange } from "../schema/ddl.ts";

/** Gives an empty store all that is declared now, so that later migrations have nothing to do there. */
export const createWholeSchema: SchemaChange = (tx, engine) => execute(tx, wholeSchema(engine));
