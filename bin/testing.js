// What programs import as `zoneward/testing`. What refuses an older Node.js runs before the bundle does.
import "./refuse-older-node.js";

export { startZoneward, ZonewardError } from "../dist/testing.js";
