import { Type } from "@sinclair/typebox";

import { accountRead } from "../../operation/account.ts";
import { zoneRead } from "../../operation/zone.ts";

const RecordUsage = Type.Object({
  record_quota: Type.Null({ description: "There is no quota." }),
  record_usage: Type.Integer({ minimum: 0, description: "DNS records that there are now." }),
});

const usageOf = (records: number) => ({ record_quota: null, record_usage: records });

export const getZoneRecordUsage = zoneRead({
  name: "getZoneRecordUsage",
  summary: "Count the DNS records of a zone",
  path: "/zones/{zone_id}/dns_records/usage",
  permission: "DNS Read",
  result: RecordUsage,
  run: async ({ zone }) => usageOf(zone.dns_record_count),
});

export const getAccountRecordUsage = accountRead({
  name: "getAccountRecordUsage",
  summary: "Count the DNS records of all zones of an account",
  path: "/accounts/{account_id}/dns_records/usage",
  permission: ["Account DNS Settings Read", "Account DNS Settings Write"],
  result: RecordUsage,
  run: async ({ db, accountId }) => {
    const { records } = await db
      .selectFrom("zones")
      .where("account_id", "=", accountId)
      .select(({ fn }) => fn.sum("dns_record_count").as("records"))
      .executeTakeFirstOrThrow();
    // Null without zones; PostgreSQL answers a sum as text.
    return usageOf(Number(records ?? 0));
  },
});
