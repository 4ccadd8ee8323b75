import assert from "node:assert/strict";
import { test } from "node:test";

import { onComparedEngines } from "../../../test/support/harness.ts";
import { queryGraphql, withEvents } from "../../../test/support/security-event-api.ts";

/** Exporters of metrics ask for all that they show in one query. */
const exporterQuery = `query ($zoneIDs: [String!], $mintime: Time!, $maxtime: Time!, $limit: uint64!) {
  viewer { zones(filter: {zoneTag_in: $zoneIDs}) {
    zoneTag
    httpRequests1mGroups(limit: $limit, filter: {datetime: $maxtime}) {
      uniq { uniques }
      dimensions { datetime }
      sum {
        bytes cachedBytes cachedRequests encryptedBytes encryptedRequests pageViews requests threats
        browserMap { pageViews uaBrowserFamily }
        clientHTTPVersionMap { clientHTTPProtocol requests }
        clientSSLMap { clientSSLProtocol requests }
        contentTypeMap { bytes requests edgeResponseContentTypeName }
        countryMap { bytes clientCountryName requests threats }
        ipClassMap { ipType requests }
        responseStatusMap { edgeResponseStatus requests }
        threatPathingMap { requests threatPathingName }
      }
    }
    firewallEventsAdaptiveGroups(limit: $limit, filter: {datetime_geq: $mintime, datetime_lt: $maxtime}) {
      count
      dimensions { action source ruleId clientRequestHTTPHost clientCountryName }
    }
    httpRequestsAdaptiveGroups(
      limit: $limit
      filter: {datetime_geq: $mintime, datetime_lt: $maxtime, cacheStatus_notin: ["hit"], originResponseStatus_in: [404, 500]}
    ) { count avg { originResponseDurationMs } dimensions { originResponseStatus clientCountryName clientRequestHTTPHost } }
    httpRequestsEdgeCountryHost: httpRequestsAdaptiveGroups(
      limit: $limit
      filter: {datetime_geq: $mintime, datetime_lt: $maxtime, requestSource_in: ["eyeball"]}
      orderBy: [count_DESC]
    ) { count sum { edgeResponseBytes visits } dimensions { edgeResponseStatus coloCode datetime } }
    healthCheckEventsAdaptiveGroups(limit: $limit, filter: {datetime_geq: $mintime, datetime_lt: $maxtime}) {
      count
      dimensions { healthStatus originIP region fqdn }
    }
  } }
}`;

onComparedEngines("datasets of traffic", (engine) => {
  test("are empty, and do not keep a query from the security events beside them", async (t) => {
    const { app, zoneId } = await withEvents(t, engine);
    const { data, errors } = await queryGraphql(app, exporterQuery, {
      zoneIDs: [zoneId],
      mintime: "2026-01-02T03:00:00Z",
      maxtime: "2026-01-02T03:00:01Z",
      limit: 9999,
    });
    assert.equal(errors, null);
    const [{ firewallEventsAdaptiveGroups, ...others }] = data.viewer.zones;
    assert.deepEqual(
      firewallEventsAdaptiveGroups.map(({ count }: { count: number }) => count),
      [1],
    );
    assert.deepEqual(others, {
      zoneTag: zoneId,
      httpRequests1mGroups: [],
      httpRequestsAdaptiveGroups: [],
      httpRequestsEdgeCountryHost: [],
      healthCheckEventsAdaptiveGroups: [],
    });
  });

  test("are asked for by hours and days too, with the names that public clients give their variables", async (t) => {
    const { app, zoneId } = await withEvents(t, engine);
    const query = `query ($zoneTag: string, $since: Date!, $filter: ZoneHttpRequests1hGroupsFilter_InputObject) {
      viewer { zones(filter: {zoneTag: $zoneTag}) {
        httpRequests1hGroups(limit: 24, filter: $filter, orderBy: [datetime_ASC, sum_requests_DESC]) {
          dimensions { date datetime } sum { requests }
        }
        httpRequests1dGroups(limit: 60, filter: {AND: [{date_geq: $since}, {date_leq: "2026-01-31"}]}) {
          dimensions { date } uniq { uniques }
        }
      } }
    }`;
    const filter = { OR: [{ datetime_geq: "2026-01-02T03:00:00Z" }] };
    const { data, errors } = await queryGraphql(app, query, {
      zoneTag: zoneId,
      since: "2026-01-01",
      filter,
    });
    assert.equal(errors, null);
    assert.deepEqual(data.viewer.zones, [{ httpRequests1hGroups: [], httpRequests1dGroups: [] }]);
  });

  test("refuse what they do not have", async (t) => {
    const { app, zoneId } = await withEvents(t, engine);
    for (const [field, message] of [
      ["httpRequests1mGroups { count }", /Cannot query field "count"/],
      ["httpRequests1dGroups { sum { visits } }", /Cannot query field "visits"/],
      ["httpRequests1dGroups(limit: 0) { sum { bytes } }", /at least 1/],
      ['httpRequests1dGroups(filter: {date: "2026-02-30"}) { sum { bytes } }', /must be a date/],
      [
        'httpRequests1dGroups(filter: {datetime: "2026-02-03"}) { sum { bytes } }',
        /unknown field "datetime"/,
      ],
      ["httpRequests1dGroups(orderBy: [count_ASC]) { sum { bytes } }", /does not exist/],
      ["dnsAnalyticsAdaptiveGroups { count }", /Cannot query field/],
    ] as const) {
      const query = `{ viewer { zones(filter: {zoneTag: "${zoneId}"}) { ${field} } } }`;
      const { data, errors } = await queryGraphql(app, query);
      assert.equal(data, null, field);
      assert.match(errors?.[0]?.message ?? "", message, field);
    }
  });
});
