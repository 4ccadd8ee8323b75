import { dnsError } from "../../core/dns/dns-error.ts";
import { errorCodes } from "../../core/error-codes.ts";
import { AppError } from "../../core/error.ts";
import { JsonText } from "../../core/json-text.ts";
import { createPause } from "../../operation/pause.ts";
import { plans, type PlanName } from "../zones/zones.ts";
import type { RecordChanges } from "./dns.ts";
import type { BatchBody } from "./schema.ts";

/**
 * Deletes, patches, puts and posts in that order.
 * Errors: those of the first operation that fails, its pointer into the batch; 400 code 9330 for more
 * operations than the plan allows.
 */
export async function applyBatch(
  changes: RecordChanges,
  plan: PlanName,
  { deletes, patches, puts, posts }: BatchBody,
): Promise<JsonText> {
  const operations = [deletes, patches, puts, posts].reduce((sum, list) => sum + (list?.length ?? 0), 0);
  const { batchMax } = plans[plan];
  if (operations > batchMax) {
    throw dnsError(
      errorCodes.dnsRecords.batchTooLarge,
      `A batch has ${operations} operations, exceeding the quota of ${batchMax}.`,
      "",
    );
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
}

/** Applies operations one after the other. Errors: that of the first that fails, its pointer below `name`. */
export async function each<Operation>(
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
  const others = error.others.map((other) => withPointerPrefix(other, prefix));
  return new AppError(kind, code, message, { chain, others, pointer: prefix + pointer, cause: error });
}
