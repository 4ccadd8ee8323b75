import assert from "node:assert/strict";

import { until, type TestAnswer, type TestApp } from "./harness.ts";

/** Lists of the owner's account, over HTTP. */
export function listApi(app: TestApp) {
  const base = `/accounts/${app.owner.accountId}/rules/lists`;
  const items = (id: string): string => `${base}/${id}/items`;
  return {
    base,
    items,
    /** Makes a list and answers its id. */
    async create(kind: string, name: string): Promise<string> {
      const { status, body, text } = await app.request("POST", base, { body: { kind, name } });
      assert.equal(status, 200, text);
      return body.result.id as string;
    },
    /** The end of the operation that an answer names. */
    async ended({
      status,
      body,
      text,
    }: TestAnswer): Promise<{ readonly status: string; readonly error?: string }> {
      assert.equal(status, 200, text);
      const path = `${base}/bulk_operations/${body.result.operation_id}`;
      await until("the operation has ended", async () =>
        ["completed", "failed"].includes((await app.request("GET", path)).body.result.status as string),
      );
      return (await app.request("GET", path)).body.result;
    },
    /** Changes the items of a list by one operation, which succeeds. */
    async change(method: "POST" | "PUT" | "DELETE", id: string, body: unknown): Promise<void> {
      const { status, error } = await this.ended(await app.request(method, items(id), { body }));
      assert.equal(status, "completed", error);
    },
    async read(
      id: string,
    ): Promise<{ readonly num_items: number; readonly num_referencing_filters: number }> {
      return (await app.request("GET", `${base}/${id}`)).body.result;
    },
  };
}
