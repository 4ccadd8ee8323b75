// Programs import this file as `zoneward/testing`. An older Node.js is refused before the bundle runs.
// oxlint-disable-next-line import/no-unassigned-import -- what it exports is that it does not throw
import "./refuse-older-node.js";

export { startZoneward, ZonewardError } from "../dist/testing.js";
