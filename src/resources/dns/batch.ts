import type { Caller } from "../../core/caller.ts";
import { dnsError } from "../../core/dns/dns-error.ts";
import { AppError } from "../../core/error.ts";
import { JsonText } from "../../core/json-text.ts";
import type { Context } from "../../operation/context.ts";
import { createPause } from "../../operation/pause.ts";
import { plans } from "../zones/zones.ts";
import { changeZone } from "./dns.ts";
import type { BatchBody } from "./schema.ts";

/**
 * `POST /zones/{id}/dns_records/batch`: deletes, patches, puts and posts in that order, all or nothing.
 * Errors: those of the first operation that fails, its pointer into the batch; 400 code 9330 for more
 * operations than the plan allows.
 */
export async function batchDnsRecords(
  context: Context,
  caller: Caller,
  zoneId: string,
  body: BatchBody,
): Promise<JsonText> {
  const { deletes, patches, puts, posts } = body;
  const operations = [deletes, patches, puts, posts].reduce((sum, list) => sum + (list?.length ?? 0), 0);
  return changeZone(context, caller, zoneId, async (changes) => {
    const { batchMax } = plans[changes.zone.plan];
    if (operations > batchMax) {
      throw dnsError(9330, `A batch has ${operations} operations, exceeding the quota of ${batchMax}.`, "");
    }
    const done = {
      deletes: await each("deletes", deletes, ({ id }) => changes.delete(id)),
      patches: await each("patches", patches, ({ id, ...patch }) => changes.edit(id, patch)),
      puts: await each("puts", puts, ({ id, ...put }) => changes.replace(id, put)),
      posts: await each("posts", posts, (post) => changes.create(post)),
    };
    const lists = Object.entries(done).map(
      ([name, records]) => `"${name}":[${records.map(({ text }) => text).join(",")}]`,
    );
    return new JsonText(`{${lists.join(",")}}`);
  });
}

async function each<Operation>(
  name: string,
  operations: readonly Operation[] | null | undefined,
  apply: (operation: Operation) => Promise<JsonText>,
): Promise<JsonText[]> {
  const records: JsonText[] = [];
  const pause = createPause();
  for (const [index, operation] of (operations ?? []).entries()) {
    try {
      records.push(await apply(operation));
    } catch (error) {
      throw error instanceof AppError ? withPointerPrefix(error, `/${name}/${index}`) : error;
    }
    await pause();
  }
  return records;
}

function withPointerPrefix(error: AppError, prefix: string): AppError {
  const { kind, code, message, chain, pointer = "" } = error;
  return new AppError(kind, code, message, { chain, pointer: prefix + pointer, cause: error });
}
