import type { DatabaseSync } from "node:sqlite";

import type { ZoneChangeListener } from "./database.ts";
import { zoneChanges } from "./schema/triggers.ts";

/** Reports which zones the writing connection of a SQLite store has changed. */
export interface ZoneWatch {
  readonly listen: (listener: ZoneChangeListener) => void;
  /** To be called after a commit: reports the zones that have changed since the last one. */
  readonly tell: () => void;
  /** To be called where another connection may have changed any zone. */
  readonly tellOfAny: () => void;
}

/** Creates the triggers for the first listener only, as they need the tables of a migrated store. */
export function watchZones(writing: DatabaseSync): ZoneWatch {
  const listeners: ZoneChangeListener[] = [];
  let changed = new Set<string>();
  const watch = (): void => {
    writing.function("note_zone_change", (id) => {
      changed.add(String(id));
      return null;
    });
    // Temporary triggers belong to this connection alone, and end with it.
    for (const [table, { owner, events }] of Object.entries(zoneChanges)) {
      for (const event of events) {
        const [kind = ""] = event.split(" ");
        writing.exec(
          `create temp trigger ${table}_${kind} after ${event} on main.${table}
           begin select note_zone_change(${kind === "delete" ? "old" : "new"}.${owner}); end`,
        );
      }
    }
  };
  return {
    listen: (listener) => {
      if (listeners.length === 0) watch();
      listeners.push(listener);
    },
    tell: () => {
      if (changed.size === 0) return;
      const ids = changed;
      changed = new Set();
      for (const listener of listeners) listener(ids);
    },
    tellOfAny: () => {
      for (const listener of listeners) listener(undefined);
    },
  };
}
