// What programs import as `zoneward/testing`. What refuses an older Node.js runs before the bundle does.
// oxlint-disable-next-line import/no-unassigned-import -- what it exports is that it does not throw
import "./refuse-older-node.js";

export { startZoneward, ZonewardError } from "../dist/testing.js";
