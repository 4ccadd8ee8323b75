import {
  AggregateFunctionNode,
  AliasNode,
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  OperatorNode,
  ParensNode,
  ReferenceNode,
  SelectQueryNode,
  TableNode,
  ValueNode,
  type CompiledQuery,
  type OperationNode,
  type QueryResult,
} from "kysely";

import type { Db, Tables } from "./tables.ts";

/** Tables in which few zones have rows. */
const rareTables = [
  "certificate_packs",
  "custom_certificates",
  "firewall_rules",
  "managed_transforms",
  "page_rules",
  "url_normalizations",
  "user_agent_rules",
  "waf_groups",
  "waf_overrides",
  "waf_packages",
  "waf_rules",
  "zone_lockdowns",
  "zone_settings",
] as const satisfies readonly (keyof Tables)[];

const zonesMin = 100;

type RareTable = (typeof rareTables)[number];

/**
 * Reads one zone after another from a database without asking for each of them what is the same for all, or what hardly
 * any has. Changes since it was made may be missed.
 */
export class BulkReads {
  readonly #db: Db;
  readonly #isWorthwhile: boolean;
  /** Zones that have rows, by table. */
  readonly #zonesWithRows = new Map<RareTable, Promise<ReadonlySet<string>>>();
  /** Results of queries that do not depend on the zone, by their text and parameters. */
  readonly #common = new Map<string, Promise<QueryResult<unknown>>>();

  /** `zones`: how many are read. */
  constructor(db: Db, zones: number) {
    this.#db = db;
    this.#isWorthwhile = zones >= zonesMin;
  }

  /** The result of a query about a zone. */
  async execute(query: CompiledQuery, zoneId: string): Promise<QueryResult<unknown>> {
    if (!this.#isWorthwhile) return this.#db.executeQuery(query);
    if (!query.parameters.includes(zoneId)) return this.#executeOnce(query);
    const table = tableOfZone(query.query, zoneId);
    const mayHaveRows = table === undefined || (await this.#zonesIn(table)).has(zoneId);
    return mayHaveRows ? this.#db.executeQuery(query) : { rows: [] };
  }

  #executeOnce(query: CompiledQuery): Promise<QueryResult<unknown>> {
    const key = JSON.stringify([query.sql, query.parameters]);
    let result = this.#common.get(key);
    if (result === undefined) this.#common.set(key, (result = this.#db.executeQuery(query)));
    return result;
  }

  #zonesIn(table: RareTable): Promise<ReadonlySet<string>> {
    let zones = this.#zonesWithRows.get(table);
    if (zones === undefined) this.#zonesWithRows.set(table, (zones = selectZonesIn(this.#db, table)));
    return zones;
  }
}

async function selectZonesIn(db: Db, table: RareTable): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom(table as "page_rules")
    .select("zone_id")
    .distinct()
    .execute();
  return new Set(rows.map(({ zone_id }) => zone_id));
}

/** The table of which a query selects only rows of the zone, if that is one of those that few zones have rows in. */
function tableOfZone(query: OperationNode, zoneId: string): RareTable | undefined {
  if (!SelectQueryNode.is(query) || query.where === undefined) return undefined;
  const [from, ...others] = query.from?.froms ?? [];
  if (from === undefined || others.length > 0 || !TableNode.is(from)) return undefined;
  // Of no rows there is a number too.
  if (query.selections?.some(({ selection }) => isAggregate(selection)) === true) return undefined;
  const name = from.table.identifier.name;
  const isOfZone = conditionsOf(query.where.where).some((one) => isZone(one, name, zoneId));
  return isOfZone ? rareTables.find((table) => table === name) : undefined;
}

function isAggregate(node: OperationNode): boolean {
  return AggregateFunctionNode.is(AliasNode.is(node) ? node.node : node);
}

/** The conditions all of which a row has to meet. */
function conditionsOf(node: OperationNode): OperationNode[] {
  if (ParensNode.is(node)) return conditionsOf(node.node);
  return AndNode.is(node) ? [...conditionsOf(node.left), ...conditionsOf(node.right)] : [node];
}

/** Whether a condition is that `zone_id` of the table is that of the zone. */
function isZone(node: OperationNode, table: string, zoneId: string): boolean {
  if (!BinaryOperationNode.is(node) || !OperatorNode.is(node.operator)) return false;
  const { leftOperand: left, rightOperand: right } = node;
  if (node.operator.operator !== "=" || !ReferenceNode.is(left) || !ValueNode.is(right)) return false;
  const isOfTable = left.table === undefined || left.table.table.identifier.name === table;
  const isColumn = ColumnNode.is(left.column) && left.column.column.name === "zone_id";
  return isOfTable && isColumn && right.value === zoneId;
}
