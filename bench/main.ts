import { cpus } from "node:os";
import { join } from "node:path";

import { authorization } from "./authorization.ts";
import { coldZones } from "./cold-zones.ts";
import { create } from "./create.ts";
import { crs } from "./crs/crs.ts";
import { dashboard } from "./dashboard.ts";
import { dnsTransfers } from "./dns-transfers.ts";
import { dnsZones } from "./dns-zones.ts";
import { dns } from "./dns.ts";
import { edgeBodies } from "./edge-bodies.ts";
import { edgeChanges } from "./edge-changes.ts";
import { edgeZones } from "./edge-zones.ts";
import { edge } from "./edge.ts";
import { expression } from "./expression.ts";
import { fairness } from "./fairness.ts";
import { gateway } from "./gateway.ts";
import { instances } from "./instances.ts";
import { largeZone } from "./large-zone.ts";
import { memory } from "./memory.ts";
import { page } from "./page.ts";
import { planesScale } from "./planes-scale.ts";
import { renderTable, type Finding } from "./report.ts";
import { policy } from "./policy.ts";
import { rulesets } from "./rulesets.ts";
import { securityEvents } from "./security-events.ts";
import { start } from "./start.ts";
import { testControls } from "./test-controls.ts";
import { wafMigration } from "./waf-migration.ts";
import { writers } from "./writers.ts";
import { zoneFile } from "./zone-file.ts";
import { buildServer } from "../tools/build/build-server.ts";

const benchmarks: Readonly<Record<string, () => Promise<Finding[]>>> = {
  page,
  policy,
  authorization,
  rulesets,
  "waf-migration": wafMigration,
  "security-events": securityEvents,
  create,
  writers,
  instances,
  "large-zone": largeZone,
  "zone-file": zoneFile,
  fairness,
  start,
  memory,
  expression,
  gateway,
  edge,
  "edge-bodies": edgeBodies,
  "edge-changes": edgeChanges,
  "edge-zones": edgeZones,
  "planes-scale": planesScale,
  "cold-zones": coldZones,
  dns,
  "dns-zones": dnsZones,
  "dns-transfers": dnsTransfers,
  dashboard,
  crs,
  "test-controls": testControls,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(benchmarks, name));
if (unknown.length > 0) {
  process.stderr.write(
    `no benchmark ${unknown.join(", ")}; there are: ${Object.keys(benchmarks).join(", ")}\n`,
  );
  process.exit(2);
}

// The benchmarks measure the server as it is started: the bundle, of the current sources.
await buildServer(join(import.meta.dirname, ".."));

const findings: Finding[] = [];
for (const [name, run] of Object.entries(benchmarks)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const began = performance.now();
  findings.push(...(await run()));
  process.stderr.write(`${name}: measured in ${((performance.now() - began) / 1000).toFixed(0)} s\n`);
}
process.stdout.write(
  `Node ${process.version}, ${cpus().length} cores, ${process.platform}-${process.arch}\n\n${renderTable(findings)}\n`,
);
