import type { ColumnTypes } from "../columns.ts";
import type { Db } from "../tables.ts";

/**
 * A migration describes its tables once for both engines. It only adds, so that the previous version can go on serving.
 * What is no longer used is removed one version later (docs/operating/instances.md).
 */
export type SchemaChange = (db: Db, columns: ColumnTypes) => Promise<void>;
