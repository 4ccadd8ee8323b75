import { GraphQLError } from "graphql";

import type { SecurityEventRow } from "../../storage/schema/edges.ts";
import type { EventGroup, EventGroupQuery } from "./count-events.ts";
import type { EventQuery } from "./security-events.ts";

/** Reads the events for a query. */
export interface EventReader {
  /** Throws unless the caller may read the zone. */
  readonly authorizeZone: (zoneTag: string) => Promise<void>;
  readonly listEvents: (zoneTag: string, query: EventQuery) => Promise<SecurityEventRow[]>;
  readonly countEvents: (zoneTag: string, query: EventGroupQuery) => Promise<EventGroup[]>;
}

export interface ZoneNode {
  readonly zoneTag: string;
}

export interface QueryContext {
  readonly reader: EventReader;
  readonly budget: QueryBudget;
}

const rowsMax = 10_000;
const datasetsMax = 10;

/** Limits the size of one query. Its methods throw a GraphQLError above the limits. */
export class QueryBudget {
  #rows = 0;
  readonly #datasets = new Map<string, number>();

  /** Counts events or groups. */
  spendRows(rows: number): void {
    this.#rows += rows;
    if (this.#rows > rowsMax) throw budgetError(`limit: a query may ask for at most ${rowsMax} events`);
  }

  /** Counts datasets per zone. */
  spendDataset(zoneTag: string): void {
    const datasets = (this.#datasets.get(zoneTag) ?? 0) + 1;
    this.#datasets.set(zoneTag, datasets);
    if (datasets > datasetsMax) throw budgetError(`a query may ask for at most ${datasetsMax} datasets`);
  }
}

export function budgetError(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: "budget" } });
}
