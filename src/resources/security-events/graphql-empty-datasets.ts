import {
  GraphQLEnumType,
  GraphQLError,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLFieldConfig,
  type GraphQLOutputType,
} from "graphql";

import type { FieldType } from "./event-fields.ts";
import {
  type QueryContext,
  type ZoneNode,
  count,
  filterOf,
  graphqlTypes,
  listOf,
  number,
  text,
} from "./graphql-types.ts";

/** The fields of groups besides `dimensions`; a list describes a map with its fields. */
type Aggregates = Readonly<Record<string, readonly (string | readonly [map: string, ...fields: string[]])[]>>;

interface Dataset {
  readonly isCounted: boolean;
  readonly dimensions: Readonly<Record<string, FieldType>>;
  readonly aggregates: Aggregates;
}

const periods = {
  date: "date",
  datetime: "time",
  datetimeMinute: "time",
  datetimeFiveMinutes: "time",
  datetimeFifteenMinutes: "time",
  datetimeHour: "time",
} as const;

const rollUp = (dimensions: Dataset["dimensions"]): Dataset => ({
  isCounted: false,
  dimensions,
  aggregates: {
    sum: [
      "bytes",
      "cachedBytes",
      "cachedRequests",
      "encryptedBytes",
      "encryptedRequests",
      "pageViews",
      "requests",
      "threats",
      ["browserMap", "pageViews", "uaBrowserFamily"],
      ["clientHTTPVersionMap", "clientHTTPProtocol", "requests"],
      ["clientSSLMap", "clientSSLProtocol", "requests"],
      ["contentTypeMap", "bytes", "edgeResponseContentTypeName", "requests"],
      ["countryMap", "bytes", "clientCountryName", "requests", "threats"],
      ["ipClassMap", "ipType", "requests"],
      ["responseStatusMap", "edgeResponseStatus", "requests"],
      ["threatPathingMap", "requests", "threatPathingName"],
    ],
    uniq: ["uniques"],
  },
});

const textual = (...names: readonly string[]): Readonly<Record<string, FieldType>> =>
  Object.fromEntries(names.map((name) => [name, "text"]));

/** The datasets of the public API about traffic and health checks. */
const datasets: Readonly<Record<string, Dataset>> = {
  httpRequests1mGroups: rollUp(periods),
  httpRequests1hGroups: rollUp({ date: "date", datetime: "time" }),
  httpRequests1dGroups: rollUp({ date: "date" }),
  httpRequestsAdaptiveGroups: {
    isCounted: true,
    dimensions: {
      ...periods,
      ...textual("cacheStatus", "clientASNDescription", "clientAsn", "clientCountryName", "clientDeviceType"),
      ...textual("clientIP", "clientRefererHost", "clientRequestHTTPHost", "clientRequestHTTPMethodName"),
      ...textual(
        "clientRequestHTTPProtocol",
        "clientRequestPath",
        "clientRequestQuery",
        "clientRequestScheme",
      ),
      ...textual("clientSSLProtocol", "coloCode", "edgeResponseContentTypeName", "requestSource"),
      ...textual("securityAction", "securitySource", "userAgent", "userAgentBrowser", "userAgentOS"),
      edgeResponseStatus: "number",
      originResponseStatus: "number",
    },
    aggregates: {
      sum: ["edgeRequestBytes", "edgeResponseBytes", "visits"],
      avg: ["edgeTimeToFirstByteMs", "originResponseDurationMs", "sampleInterval"],
    },
  },
  healthCheckEventsAdaptiveGroups: {
    isCounted: true,
    dimensions: {
      ...periods,
      ...textual("failureReason", "fqdn", "healthCheckName", "healthStatus", "originIP", "region"),
    },
    aggregates: { avg: ["rttMs", "tcpConnMs", "timeToFirstByteMs", "tlsHandshakeMs"] },
  },
};

const isName = (field: string): boolean => /(Name|Family|Protocol|Type)$/.test(field);

interface EmptyDatasetArguments {
  readonly limit?: number | null;
}

/**
 * Datasets about traffic, which are always empty here: a client that queries them together with security
 * events still gets the events.
 */
export const emptyDatasetFields = Object.fromEntries(
  Object.entries(datasets).map(([name, dataset]): [string, GraphQLFieldConfig<ZoneNode, QueryContext>] => [
    name,
    emptyDatasetField(`Zone${capitalized(name)}`, dataset),
  ]),
);

function emptyDatasetField(
  typeName: string,
  { isCounted, dimensions, aggregates }: Dataset,
): GraphQLFieldConfig<ZoneNode, QueryContext> {
  const group = objectOf(typeName, {
    ...(isCounted && { count }),
    dimensions: objectOf(
      `${typeName}Dimensions`,
      mapValues(dimensions, (type) => graphqlTypes[type]),
    ),
    ...mapValues(aggregates, (fields, aggregate) => {
      const aggregateName = typeName + capitalized(aggregate);
      const types = fields.map((field): [string, GraphQLOutputType] => {
        if (typeof field === "string") return [field, count];
        const [map, ...inMap] = field;
        const element = Object.fromEntries(inMap.map((one) => [one, isName(one) ? text : count]));
        return [map, listOf(objectOf(`${aggregateName}_${map}`, element))];
      });
      return objectOf(aggregateName, Object.fromEntries(types));
    }),
  });
  const numbers = Object.entries(aggregates).flatMap(([aggregate, fields]) =>
    fields.flatMap((field) => (typeof field === "string" ? [`${aggregate}_${field}`] : [])),
  );
  const orders = [...(isCounted ? ["count"] : []), ...Object.keys(dimensions), ...numbers];
  const orderBy = new GraphQLEnumType({
    name: `${typeName}OrderBy`,
    values: Object.fromEntries(
      orders.flatMap((by) => [`${by}_ASC`, `${by}_DESC`].map((value) => [value, {}])),
    ),
  });
  return {
    description: "Always empty: no traffic of visitors passes through.",
    type: new GraphQLNonNull(listOf(group)),
    args: {
      filter: { type: filterOf(`${typeName}Filter_InputObject`, dimensions) },
      orderBy: { type: listOf(orderBy) },
      limit: { type: number },
    },
    resolve: (_, { limit }: EmptyDatasetArguments) => {
      if (limit === 0) throw new GraphQLError("limit: must be at least 1");
      return [];
    },
  };
}

function objectOf(name: string, fields: Readonly<Record<string, GraphQLOutputType>>): GraphQLObjectType {
  return new GraphQLObjectType({ name, fields: mapValues(fields, (type) => ({ type })) });
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From, name: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
}
