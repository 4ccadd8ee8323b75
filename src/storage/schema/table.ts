declare const brand: unique symbol;

/** ISO-8601 UTC text with microseconds, `2026-01-02T03:04:05.678000Z`. It sorts as time does. */
export type Timestamp = string & { readonly [brand]: "timestamp" };

/** 0 or 1: SQLite has no boolean. */
export type Flag = 0 | 1;

/** JSON stored as text. */
export type Json<T> = string & { readonly [brand]: T };

/** A secret as it is stored: encrypted (`secret-box.ts`). */
export type Sealed = string & { readonly [brand]: "sealed" };

declare const values: unique symbol;

type ColumnType = "text" | "integer" | "uint32";
/** The effect on a row of deleting the row that it refers to; `no action` forbids that. */
type OnDelete = "cascade" | "set null" | "no action";

/** A column, the same in both engines; `Value` is what rows have in it. */
export interface Column<Value = unknown> {
  readonly type: ColumnType;
  readonly isNullable?: true;
  readonly isSealed?: true;
  /** Refers to the primary key of a table. */
  readonly reference?: { readonly table: string; readonly onDelete: OnDelete };
  readonly default?: string | number | null;
  readonly [values]?: Value;
}

/** Text, which compares byte by byte; `Value` narrows it to what may be stored. */
export const text = <Value extends string = string>(): Column<Value> => ({ type: "text" });

/** A number of 32 bits with a sign. */
export const integer = (): Column<number> => ({ type: "integer" });

/** A number from 0 to 4,294,967,295, such as the serial of a zone. */
export const uint32 = (): Column<number> => ({ type: "uint32" });

export const flag = (): Column<Flag> => ({ type: "integer" });

export const timestamp = (): Column<Timestamp> => ({ type: "text" });

export const json = <Value>(): Column<Json<Value>> => ({ type: "text" });

/** A secret, stored encrypted: a new key encrypts it anew, and `zoneward database check` opens it. */
export const sealed = (): Column<Sealed> => ({ type: "text", isSealed: true });

/** The primary key of a row of another table. */
export const reference = (to: string, onDelete: OnDelete): Column<string> => ({
  type: "text",
  reference: { table: to, onDelete },
});

export const nullable = <Value>(column: Column<Value>): Column<Value | null> => ({
  ...(column as Column<Value | null>),
  isNullable: true,
});

/** A column that an insert may leave out. */
export const withDefault = <Value, Default extends string | number | null>(
  column: Column<Value>,
  value: Default,
): Column<Value> & { readonly default: Default } => ({ ...column, default: value });

export interface Index<Name extends string = string> {
  readonly on: readonly Name[];
  readonly isUnique?: true;
  /** A condition in SQL: it holds only the rows of which that is true. */
  readonly where?: string;
}

type Columns = Readonly<Record<string, Column>>;

export interface Table<Of extends Columns = Columns> {
  readonly columns: Of;
  /** The columns of the primary key. */
  readonly key: readonly string[];
  readonly indexes: readonly Index[];
  /** Whether its rows belong to copies and images of the store. */
  readonly isCopied: boolean;
}

interface Options<Name extends string> {
  /** Without it, the first column. */
  readonly key?: readonly Name[];
  readonly indexes?: readonly Index<Name>[];
  readonly isCopied?: boolean;
}

export function table<Of extends Columns>(
  columns: Of,
  { key, indexes = [], isCopied = true }: Options<keyof Of & string> = {},
): Table<Of> {
  return { columns, key: key ?? Object.keys(columns).slice(0, 1), indexes, isCopied };
}

type ValueOf<Of> = Of extends Column<infer Value> ? Value : never;

/** A row of a table; what has a default may be left out of it. */
export type Row<Of extends Table> = {
  -readonly [
    Name in keyof Of["columns"] as Of["columns"][Name] extends { readonly default: unknown } ? never : Name
  ]: ValueOf<Of["columns"][Name]>;
} & {
  -readonly [
    Name in keyof Of["columns"] as Of["columns"][Name] extends { readonly default: unknown } ? Name : never
  ]?: ValueOf<Of["columns"][Name]> | undefined;
};
