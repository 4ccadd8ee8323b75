import assert from "node:assert/strict";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

import { sealedPlace } from "../../src/storage/sealed-columns.ts";
import { createSecretBox } from "../../src/secrets/secret-box.ts";
import type { Sealed } from "../../src/storage/schema/table.ts";
import { newDirectory, sendRequest, until } from "../support/harness.ts";
import { ownerFlags, spawnServer } from "../support/spawned-server.ts";

const rounds = 3;
const ordersPerRound = 5;

interface CertificateRow {
  readonly id: string;
  readonly pack_id: string;
  readonly key_type: string;
  readonly status: string;
  readonly private_key: Sealed;
  readonly chain: string;
}

test("a server killed while it issues loses no key and issues nothing twice", async (t) => {
  const data = newDirectory(t);
  const flags = [`--data=${data}`, "--log-level=error", ...ownerFlags];
  const ordered: string[] = [];

  let server = await spawnServer(t, flags);
  const { body } = await sendRequest(server.baseUrl, "POST", "/zones", { body: { name: "example.com" } });
  const path = `/zones/${body.result.id}/ssl/certificate_packs`;
  const activePacks = async (): Promise<number> =>
    (await sendRequest(server.baseUrl, "GET", path)).body.result_info?.total_count ?? 0;

  for (let round = 0; round < rounds; round += 1) {
    const { baseUrl } = server;
    const answers = await Promise.all(
      Array.from({ length: ordersPerRound }, () =>
        sendRequest(baseUrl, "POST", `${path}/order`, {
          body: {
            type: "advanced",
            hosts: ["example.com"],
            validation_method: "txt",
            validity_days: 90,
            certificate_authority: "google",
          },
        }),
      ),
    );
    ordered.push(...answers.map(({ body: { result } }) => result.id as string));
    // Each round is cut short at another moment: before the first is issued, and after some more.
    const issuedBefore = round * ordersPerRound;
    if (round > 0)
      await until("some are issued", async () => (await activePacks()) >= issuedBefore + round - 1);
    assert.equal(await server.end("SIGKILL"), "SIGKILL");
    server = await spawnServer(t, flags);
    await until("all are issued", async () => (await activePacks()) === ordered.length);
  }
  await server.end("SIGTERM");

  const file = new DatabaseSync(join(data, "zoneward.sqlite"));
  const rows = file.prepare("select * from pack_certificates").all() as unknown as CertificateRow[];
  const issues = file
    .prepare("select resource_id from audit_logs where action_type = 'certificate_pack_issue'")
    .all()
    .map((row) => row["resource_id"] as string);
  file.close();
  assert.deepEqual(issues.toSorted(), ordered.toSorted());
  assert.deepEqual(
    rows.map(({ pack_id, key_type, status }) => `${pack_id} ${key_type} ${status}`).toSorted(),
    ordered.flatMap((id) => [`${id} ecdsa active`, `${id} rsa active`]).toSorted(),
  );
  const box = createSecretBox({ kind: "file", file: join(data, "secret.key") });
  for (const { id, private_key, chain } of rows) {
    const key = createPrivateKey(box.open(private_key, sealedPlace("pack_certificates.private_key", id)));
    assert.ok(new X509Certificate(chain).checkPrivateKey(key));
  }
});
