import { AppError } from "../src/core/error.ts";
import { zone } from "../src/core/policy/permission-groups.ts";
import { readCredentials } from "../src/api/credentials.ts";
import { createAuthenticator } from "../src/resources/authentication/authentication.ts";
import { createAuthorizer } from "../src/resources/authorization/authorization.ts";
import { ensureOwnerToken } from "../src/resources/tokens/tokens.ts";
import { ensureOwner } from "../src/resources/users/users.ts";
import { addZone } from "../src/resources/zones/zones.ts";
import { openDatabase } from "../src/storage/open-database.ts";
import type { Finding } from "./report.ts";
import { createZoneContext } from "./store-context.ts";

const rounds = 7;
const requests = 100_000;
const secret = "owner-token-of-the-benchmarks-0123456789";

/** The cost of reading credentials, finding their owner and deciding, for a request whose token was seen before. */
export async function authorization(): Promise<Finding[]> {
  const db = await openDatabase({ engine: "memory" });
  await db.migrate();
  const context = createZoneContext(db);
  const zoneId = await db.transaction(async (tx) => {
    const owner = await ensureOwner(context, tx, {
      email: "owner@example.com",
      accountName: "A",
      key: undefined,
    });
    await ensureOwnerToken(context, tx, owner.userId, secret);
    const row = await addZone(context, tx, {
      name: "example.com",
      type: "full",
      accountId: owner.accountId,
    });
    return row.id;
  });
  const { authenticate } = createAuthenticator({
    db,
    now: context.now,
    failuresMax: 30,
    tokenUsed: () => undefined,
    sessionTerms: { idleMs: 60_000 },
    sessionUse: new Map(),
    twoFactor: { isRequired: false },
  });
  const authorize = createAuthorizer(db, "cloudflare");
  const headers = { authorization: `Bearer ${secret}` };
  const permission = { on: "zone", group: zone("DNS Read") } as const;

  const once = async (): Promise<void> => {
    const identity = await authenticate(readCredentials(headers), "127.0.0.1");
    if (identity instanceof AppError) throw identity;
    await authorize({ ...identity, address: "127.0.0.1", noteAuditLog: () => undefined }, permission, {
      zone_id: zoneId,
    });
  };
  const values: number[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const before = process.cpuUsage();
    for (let n = 0; n < requests; n += 1) await once();
    const { user, system } = process.cpuUsage(before);
    if (round >= 0) values.push((user + system) / requests);
  }
  await db.close();
  return [
    {
      what: "authentication and decision of a known token, CPU a request",
      values,
      unit: "us",
      budget: { most: 15 },
    },
  ];
}
