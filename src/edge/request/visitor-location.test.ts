import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { startEdgeApp, startOrigin } from "../../../test/support/edge-app.ts";
import { newDirectory, startTestApp, until } from "../../../test/support/harness.ts";
import { writeMaxMindDatabase } from "../../../test/support/maxmind-database.ts";
import { queryGraphql } from "../../../test/support/security-event-api.ts";

test("rules, origins and events know the country and the system of a visitor by the databases", async (t) => {
  const directory = newDirectory(t);
  const [countries, systems] = [join(directory, "countries.mmdb"), join(directory, "systems.mmdb")];
  writeFileSync(
    countries,
    writeMaxMindDatabase({
      "192.0.2.0/24": {
        country: { iso_code: "NL", is_in_european_union: true },
        continent: { code: "EU" },
      },
      "198.51.100.0/24": { country_code: "jp" },
    }),
  );
  writeFileSync(
    systems,
    writeMaxMindDatabase({
      "192.0.2.0/25": { autonomous_system_number: 64_500, autonomous_system_organization: "A network" },
    }),
  );
  const edge = await startEdgeApp(t, "sqlite", await startOrigin(t), {
    trusted_proxies: ["127.0.0.1"],
    edge_location_databases: [countries, systems],
  });
  const from = (address: string) => ({ headers: { "x-forwarded-for": address, "user-agent": "a browser" } });
  const countryAt = async (address: string) =>
    (await edge.visit("/", from(address))).echo.headers["cf-ipcountry"];
  await edge.change("PATCH", "/settings/ip_geolocation", { value: "on" });
  await until("the country is sent", async () => (await countryAt("192.0.2.7")) === "NL");
  assert.equal(await countryAt("198.51.100.1"), "JP");
  assert.equal(await countryAt("203.0.113.1"), "XX");

  await edge.rules("http_request_firewall_custom", [
    {
      action: "block",
      expression: 'ip.src.country eq "NL" and ip.src.continent eq "EU" and ip.src.asnum eq 64500',
    },
    { action: "block", expression: 'ip.geoip.country eq "JP"' },
  ]);
  const blocked = await edge.untilStatus("/", 403, from("192.0.2.7"));
  assert.equal((await edge.visit("/", from("198.51.100.1"))).status, 403);
  for (const address of ["192.0.2.200", "203.0.113.1"])
    assert.equal((await edge.visit("/", from(address))).status, 200, address);

  const rayName = String(blocked.headers["cf-ray"]).split("-")[0];
  const query = `query($zoneTag: String!, $rayName: String!) { viewer { zones(filter: { zoneTag: $zoneTag }) {
    firewallEventsAdaptive(limit: 10, filter: { rayName: $rayName }) { clientCountryName clientAsn clientASNDescription edgeColoName }
  } } }`;
  let events: object[] = [];
  await until("the event is stored", async () => {
    const { data } = await queryGraphql(edge.app, query, { zoneTag: edge.zoneId, rayName });
    events = data.viewer.zones[0].firewallEventsAdaptive;
    return events.length > 0;
  });
  assert.deepEqual(events, [
    {
      clientCountryName: "NL",
      clientAsn: "64500",
      clientASNDescription: "A network",
      edgeColoName: "ZWD",
    },
  ]);

  await edge.rules("http_request_firewall_custom", []);
  await edge.untilStatus("/", 200, from("192.0.2.7"));
  await edge.change("POST", "/firewall/access_rules/rules", {
    mode: "block",
    configuration: { target: "country", value: "JP" },
  });
  await edge.untilStatus("/", 403, from("198.51.100.1"));
});

test("a server whose database cannot be read does not start", async (t) => {
  const file = join(newDirectory(t), "countries.mmdb");
  writeFileSync(file, "no database");
  const settings = { edge_http: ["127.0.0.1:0"], edge_location_databases: [file] };
  await assert.rejects(startTestApp(t, "sqlite", settings), {
    message: new RegExp(`^reading ${file}: .*MaxMind DB`),
  });
});
