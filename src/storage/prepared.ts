import type { CompiledQuery } from "kysely";

import type { Db } from "./tables.ts";

type Arguments = Record<string, string | number | null>;

/** Stands for an argument in the query that `prepare` builds. */
export type Placeholder<A extends Arguments> = <K extends keyof A & string>(name: K) => A[K];

interface Query<Row> {
  compile(): CompiledQuery<Row>;
}

class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A query that is built and compiled once for each engine, for code that runs in every request: building it costs more
 * than SQLite needs to run it.
 */
export function prepare<A extends Arguments, Row>(
  build: (db: Db, argument: Placeholder<A>) => Query<Row>,
): (db: Db, values: A) => Promise<Row[]> {
  const compiledByEngine = new WeakMap<object, CompiledQuery<Row>>();
  return async (db, values) => {
    const engine = db.getExecutor().adapter;
    let compiled = compiledByEngine.get(engine);
    if (compiled === undefined) {
      // A slot passes through the builder like any value and ends up among the parameters.
      compiled = build(db, (name) => new Slot(name) as unknown as A[typeof name]).compile();
      compiledByEngine.set(engine, compiled);
    }
    const parameters = compiled.parameters.map((value) =>
      value instanceof Slot ? values[value.name] : value,
    );
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters });
    return rows;
  };
}
