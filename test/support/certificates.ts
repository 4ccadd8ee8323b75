import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { connect, createServer } from "node:tls";

import { sealedPlace } from "../../src/storage/sealed-columns.ts";
import { selectUnseenZones } from "../../src/resources/certificate-packs/store.ts";
import { createSecretBox } from "../../src/secrets/secret-box.ts";
import type { CertifiedKey } from "../../src/tls/local-ca.ts";
import { newDirectory, until, type TestApp } from "./harness.ts";
import { readBesideServer } from "./store.ts";

/** Waits until a pack has a status, and answers it. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read many shapes
export async function untilPack(app: TestApp, path: string, status = "active"): Promise<any> {
  let pack = { status: "none" };
  await until(`${path} is ${status}`, async () => {
    pack = (await app.request("GET", path)).body.result;
    return pack.status === status;
  });
  return pack;
}

/** Waits until no pack is being ordered or issued: then nothing is stored but what requests store. */
export async function untilAllIssued(app: TestApp): Promise<void> {
  await until("every pack is issued", async () => {
    const waiting = await readBesideServer(app, (db) =>
      db.selectFrom("certificate_packs").select("id").where("status", "!=", "active").execute(),
    );
    return waiting.length === 0 && (await hasSeenAll(app));
  });
}

/** Whether the timer has seen all that Total TLS asks for. */
export async function hasSeenAll(app: TestApp): Promise<boolean> {
  return readBesideServer(app, async (db) => (await selectUnseenZones(db)).length === 0);
}

/** The certificates in use and their keys, by the type of key, as an edge would read them. */
export async function certifiedKeys(app: TestApp, packId: string): Promise<Record<string, CertifiedKey>> {
  const box = secretBoxOf(app);
  const rows = await readBesideServer(app, (db) =>
    db
      .selectFrom("pack_certificates")
      .selectAll()
      .where("pack_id", "=", packId)
      .where("status", "=", "active")
      .execute(),
  );
  return Object.fromEntries(
    rows.map(({ id, key_type, chain, private_key }) => [
      key_type,
      {
        certificate: chain ?? "",
        privateKey: box.open(private_key, sealedPlace("pack_certificates.private_key", id)),
      },
    ]),
  );
}

export function secretBoxOf({ config }: TestApp) {
  const file = config.secret_key_file ?? join(config.data, "secret.key");
  return createSecretBox({ kind: "file", file });
}

/** Serves the certificates on a free port until the test ends. */
export async function serveTls(t: TestContext, identities: readonly CertifiedKey[]): Promise<number> {
  const server = createServer(
    {
      cert: identities.map(({ certificate }) => certificate),
      key: identities.map(({ privateKey }) => privateKey),
    },
    // A client that is cut off while it says goodbye would call that a failure.
    (socket) => socket.on("error", () => undefined).resume(),
  );
  server.on("tlsClientError", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** Whether Node's TLS client, which trusts `ca` alone, accepts the server as `host`. */
export async function accepts(port: number, host: string, ca: string, sigalgs?: string): Promise<boolean> {
  const socket = connect({ port, host: "127.0.0.1", servername: host, ca, ...(sigalgs && { sigalgs }) });
  try {
    await once(socket, "secureConnect");
    return socket.authorized;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

export const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

/** The same of OpenSSL's client, and what it says. */
export async function opensslAccepts(
  t: TestContext,
  port: number,
  host: string,
  ca: string,
): Promise<{ readonly accepted: boolean; readonly output: string }> {
  const file = join(newDirectory(t), "ca.pem");
  writeFileSync(file, ca);
  const options = ["-CAfile", file, "-verify_return_error", "-verify_hostname", host];
  return new Promise((resolve) => {
    const child = execFile(
      "openssl",
      ["s_client", "-connect", `127.0.0.1:${port}`, "-servername", host, ...options],
      (error, stdout, stderr) => resolve({ accepted: error === null, output: stdout + stderr }),
    );
    child.stdin?.end();
  });
}
