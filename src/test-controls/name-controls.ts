import type { ServerResponse } from "node:http";

/** What every answer carries while the test controls are on. */
export const controlsHeaders = { "zoneward-test-controls": "on" };

/** Adds the headers to an answer that the API does not make. */
export function nameControls(response: ServerResponse): void {
  for (const [name, value] of Object.entries(controlsHeaders)) response.setHeader(name, value);
}
