import type { RouteDescription } from "../../../src/api/route.ts";
import { operations } from "../../../src/server/operations.ts";
import { operations as testControls } from "../../../src/test-controls/operations.ts";

export interface CalledOperation {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Parameters in braces: `/zones/{zone_id}`. */
  readonly path: string;
  /** The prefix of the path, where that is not `/client/v4`. */
  readonly base?: string;
  /** Its body, and other things besides parameters of its path and of a query. */
  readonly takes?: "body" | "file";
}

const calledOf = (
  { operation, method, path, isAtRoot, uploadBytesMax, schemas }: RouteDescription,
  base: string | undefined = isAtRoot && "",
): [string, CalledOperation] => {
  const takes = uploadBytesMax !== undefined ? "file" : schemas.body && "body";
  return [operation, { method, path, ...(base !== undefined && { base }), ...(takes && { takes }) }];
};

/**
 * All operations of the server by name. `vite.config.ts` builds this module into its value, so that its sources stay
 * out of the bundle.
 */
export const operationsByName: Readonly<Record<string, CalledOperation>> = Object.fromEntries([
  ...operations.map((operation) => calledOf(operation)),
  ...testControls.map((operation) => calledOf(operation, "/test/v1")),
]);
