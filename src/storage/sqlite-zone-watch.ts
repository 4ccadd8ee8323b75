import type { DatabaseSync } from "node:sqlite";

import type { ZoneChangeListener } from "./database.ts";

/** Which changes of a zone's row are told of, by the names of triggers. */
const watched = {
  zone_inserted: { event: "insert", row: "new" },
  zone_deleted: { event: "delete", row: "old" },
  zone_updated: {
    event: "update of type, status, paused, vanity_name_servers, dns_records_version, dns_serial",
    row: "new",
  },
};

/** Tells which zones the writing connection of a SQLite store has changed. */
export interface ZoneWatch {
  readonly listen: (listener: ZoneChangeListener) => void;
  /** To be called after a commit: tells of the zones that have changed since the last one. */
  readonly tell: () => void;
  /** To be called where another connection may have changed any. */
  readonly tellOfAny: () => void;
}

/** Nothing is watched until somebody listens, which needs the tables to be there. */
export function watchZones(writing: DatabaseSync): ZoneWatch {
  const listeners: ZoneChangeListener[] = [];
  let changed = new Set<string>();
  const watch = (): void => {
    writing.function("note_zone_change", (id) => {
      changed.add(String(id));
      return null;
    });
    // Temporary triggers are those of this connection alone, and gone with it.
    for (const [name, { event, row }] of Object.entries(watched)) {
      writing.exec(
        `create temp trigger ${name} after ${event} on main.zones begin select note_zone_change(${row}.id); end`,
      );
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
