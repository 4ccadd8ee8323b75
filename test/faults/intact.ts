import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";

/** A SQLite file that no server has open holds together, each row with what it refers to. */
export function assertIntact(file: string): void {
  const database = new DatabaseSync(file);
  try {
    const found = database.prepare("pragma integrity_check").all();
    assert.deepEqual(
      found.map((row) => row["integrity_check"]),
      ["ok"],
    );
    assert.deepEqual(database.prepare("pragma foreign_key_check").all(), []);
  } finally {
    database.close();
  }
}
