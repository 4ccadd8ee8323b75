import type { ServerResponse } from "node:http";

/** The headers of every answer while the test controls are on. */
export const controlsHeaders = { "zoneward-test-controls": "on" };

export function nameControls(response: ServerResponse): void {
  for (const [name, value] of Object.entries(controlsHeaders)) response.setHeader(name, value);
}
