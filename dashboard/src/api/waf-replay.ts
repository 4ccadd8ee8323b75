import type {
  MigrationReport,
  Outcomes,
  ReplayedRequest,
  ReplayProgress,
  ReplayReport,
} from "../../../src/resources/waf-replay/schema.ts";
import { path, type ApiCall, type FileBody } from "./call.ts";

export type { MigrationReport, Outcomes, ReplayedRequest, ReplayProgress, ReplayReport };

/** Judges the requests of a HAR or of an access log by both versions of the managed rules. */
export const replayRequests = (
  zoneId: string,
  file: FileBody["file"],
  host: string,
): ApiCall<ReplayReport> => ({
  method: "POST",
  path: path`/zones/${zoneId}/waf_migration/replay`,
  upload: { file, fields: host === "" ? {} : { host } },
});

/** Compares both versions of the managed rules by the events of visitors in the last hours. */
export const reportMigration = (zoneId: string, hours: number): ApiCall<MigrationReport> => ({
  method: "GET",
  path: path`/zones/${zoneId}/waf_migration/report`,
  query: { hours },
});
