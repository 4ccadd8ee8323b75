import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";

import { secretBoxOf, untilAllIssued } from "../../test/support/certificates.ts";
import { commandLine } from "../../test/support/command-line.ts";
import {
  newDirectory,
  onEachEngine,
  startOfTime,
  startTestApp,
  type Engine,
  type TestApp,
} from "../../test/support/harness.ts";
import { refuseRows } from "../../test/support/refused-rows.ts";
import { runCommand } from "../../test/support/spawned-server.ts";
import { besideServer, openStore } from "../../test/support/store.ts";
import { createSecretBox } from "../secrets/secret-box.ts";
import { addSecretKey, readSecretKeys } from "../secrets/secret-keys.ts";
import { toTimestamp } from "../storage/columns.ts";
import type { Sealed } from "../storage/schema/table.ts";
import { sealedPlace, storedSecrets } from "../storage/sealed-columns.ts";
import { createAuthority, createKeyPair, pkcs8, signServerCertificate } from "../tls/local-ca.ts";

const zoneward = commandLine();

const freshKey = (): string => randomBytes(32).toString("base64");
const accountKey = "the key of an ACME account";

/** A server with every kind of secret in its store. */
async function startAppWithSecrets(t: TestContext, engine: Engine) {
  const app = await startTestApp(t, engine, {}, { issuanceRoundMs: 50 });
  const zone = await app.createZone("example.com");
  await app.request("POST", `/zones/${zone}/ssl/certificate_packs`, {
    body: { hosts: ["example.com"], validity_days: 90, certificate_authority: "google" },
  });
  await untilAllIssued(app);
  const validity = { notBefore: startOfTime, notAfter: new Date(startOfTime.getTime() + 86_400_000) };
  const { publicKey, privateKey } = await createKeyPair("ecdsa");
  const authority = await createAuthority("Some CA", validity, "ecdsa");
  const certificate = await signServerCertificate(authority, {
    ...validity,
    hosts: ["example.com"],
    publicKey,
  });
  const custom = await app.request("POST", `/zones/${zone}/custom_certificates`, {
    body: { certificate, private_key: pkcs8(privateKey) },
  });
  assert.equal(custom.status, 200, custom.text);
  const directory_url = "https://ca.example/directory";
  const sealed = secretBoxOf(app).seal(accountKey, `acme_accounts.private_key ${directory_url}`);
  await besideServer(app, (tx) =>
    tx
      .insertInto("acme_accounts")
      .values({ directory_url, private_key: sealed, created_on: toTimestamp(startOfTime) })
      .execute(),
  );
  const id = custom.body.result.id as string;
  /** A change that reads the stored key, as it sends the certificate alone. */
  const edit = async () =>
    (await app.request("PATCH", `/zones/${zone}/custom_certificates/${id}`, { body: { certificate } }))
      .status;
  assert.equal(await edit(), 200);
  return {
    app,
    edit,
    id,
    uploadedKey: pkcs8(privateKey),
    keyFile: app.config.secret_key_file ?? join(app.config.data, "secret.key"),
  };
}

const flagsOf = ({ config }: TestApp): string[] => [
  `--data=${config.data}`,
  ...(config.database === undefined ? [] : [`--database=${config.database}`]),
  ...(config.secret_key_file === undefined ? [] : [`--secret-key-file=${config.secret_key_file}`]),
];

async function allSealed(
  t: TestContext,
  app: TestApp,
): Promise<readonly { sealed: Sealed; place: string }[]> {
  const db = await openStore(t, app);
  const found: { sealed: Sealed; place: string }[] = [];
  for await (const secrets of storedSecrets(db.read)) found.push(...secrets);
  return found;
}

onEachEngine("zoneward secrets rotate", (engine) => {
  test("encrypts every secret anew while the server goes on, and keeps the old key for backups alone", async (t) => {
    const { app, edit, id, uploadedKey, keyFile } = await startAppWithSecrets(t, engine);
    const rotate = (...args: readonly string[]) => zoneward(["secrets", "rotate", ...flagsOf(app), ...args]);
    const oldText = readFileSync(keyFile, "utf8").trim();
    const before = await allSealed(t, app);
    assert.ok(new Set(before.map(({ place }) => place.split(" ")[0])).size === 4);

    const rotated = await rotate();
    assert.deepEqual(
      [rotated.code, rotated.stdout],
      [0, `${before.length} secrets encrypted with the new key\n`],
      rotated.stderr,
    );
    const newText = readFileSync(keyFile, "utf8").trim();
    assert.match(newText, /^[A-Za-z0-9+/]{43}=$/);
    assert.notEqual(newText, oldText);
    assert.equal(readFileSync(`${keyFile}.retired`, "utf8").trim(), oldText);
    for (const file of [keyFile, `${keyFile}.retired`]) assert.equal(statSync(file).mode & 0o777, 0o600);
    for (const text of [oldText, newText]) assert.ok(!(rotated.stdout + rotated.stderr).includes(text));

    const [oldBox, newBox] = [oldText, newText].map((keys) => createSecretBox({ kind: "given", keys }));
    const after = await allSealed(t, app);
    assert.deepEqual(
      after.map(({ place }) => place),
      before.map(({ place }) => place),
    );
    for (const { sealed, place } of after) {
      const earlier = before.find((each) => each.place === place)?.sealed ?? ("" as Sealed);
      assert.equal(newBox?.open(sealed, place), oldBox?.open(earlier, place));
      assert.throws(() => oldBox?.open(sealed, place), /a different secret key/);
    }
    const custom = after.find(({ place }) => place === sealedPlace("custom_certificates.private_key", id));
    assert.equal(
      newBox?.open(custom?.sealed ?? ("" as Sealed), sealedPlace("custom_certificates.private_key", id)),
      uploadedKey,
    );

    assert.equal(await edit(), 200, "without a restart");
    assert.equal((await zoneward(["database", "check", ...flagsOf(app)])).code, 0);
    await app.restart();
    assert.equal(await edit(), 200, "after a restart");
  });

  test("that was cut short has lost nothing, and goes on with the same new key", async (t) => {
    const { app, edit, keyFile } = await startAppWithSecrets(t, engine);
    const rotate = (...args: readonly string[]) => zoneward(["secrets", "rotate", ...flagsOf(app), ...args]);
    const [oldKey] = readSecretKeys(keyFile);
    // As it stands after a part of it: both keys are there, and one table of four is done.
    const newKeyFile = join(newDirectory(t), "new");
    writeFileSync(newKeyFile, freshKey());
    addSecretKey(keyFile, readSecretKeys(newKeyFile)[0]);
    const box = secretBoxOf(app);
    await besideServer(app, async (tx) => {
      for (const { directory_url, private_key } of await tx
        .selectFrom("acme_accounts")
        .selectAll()
        .execute()) {
        const resealed = box.reseal(private_key, `acme_accounts.private_key ${directory_url}`);
        await tx
          .updateTable("acme_accounts")
          .set({ private_key: resealed ?? private_key })
          .execute();
      }
    });
    assert.equal(await edit(), 200);
    assert.equal((await zoneward(["database", "check", ...flagsOf(app)])).code, 0);

    const otherKeyFile = join(newDirectory(t), "other");
    writeFileSync(otherKeyFile, freshKey());
    const refused = await rotate("--new-key-file", otherKeyFile);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /already holds another new key/);
    assert.equal(readSecretKeys(keyFile).length, 2);

    const rotated = await rotate();
    const count = (await allSealed(t, app)).length;
    // The edit had encrypted its own anew.
    assert.deepEqual(
      [rotated.code, rotated.stdout],
      [0, `${count - 2} secrets encrypted with the new key\n`],
      rotated.stderr,
    );
    assert.deepEqual(
      readSecretKeys(keyFile).map((key) => key.export()),
      readSecretKeys(newKeyFile).map((key) => key.export()),
    );
    assert.deepEqual(readSecretKeys(`${keyFile}.retired`)[0].export(), oldKey.export());
    const again = await rotate("--new-key-file", newKeyFile);
    assert.deepEqual([again.code, again.stdout], [0, "0 secrets encrypted with the new key\n"]);
  });

  test("encrypts nothing anew and takes no key away while a secret opens with none, and says which", async (t) => {
    const { app, keyFile } = await startAppWithSecrets(t, engine);
    const foreign = createSecretBox({ kind: "memory" }).seal(
      "lost",
      "acme_accounts.private_key https://ca.example/directory",
    );
    await besideServer(app, (tx) => tx.updateTable("acme_accounts").set({ private_key: foreign }).execute());
    const before = await allSealed(t, app);
    const rotated = await zoneward(["secrets", "rotate", ...flagsOf(app)]);
    assert.deepEqual([rotated.code, rotated.stdout], [1, ""]);
    assert.deepEqual(await allSealed(t, app), before);
    assert.match(
      rotated.stderr,
      /no key opens these:\n {2}acme_accounts\.private_key https:\/\/ca\.example\/directory\n$/,
    );
    assert.equal(readSecretKeys(keyFile).length, 2);
    assert.equal(existsSync(`${keyFile}.retired`), false);
  });

  test("that fails in the middle changes nothing in the store, and is completed by the next one", async (t) => {
    const { app, edit, keyFile } = await startAppWithSecrets(t, engine);
    await refuseRows(app, engine, { table: "acme_accounts", on: "update" }, true);
    const before = await allSealed(t, app);
    const places = before.map(({ place }) => place.split(" ")[0]);
    const refusedAt = places.indexOf("acme_accounts.private_key");
    assert.ok(refusedAt > 0, "others come first");

    const failed = await zoneward(["secrets", "rotate", ...flagsOf(app)]);
    assert.deepEqual([failed.code, failed.stdout], [1, ""]);
    assert.deepEqual(await allSealed(t, app), before);
    assert.equal(readSecretKeys(keyFile).length, 2);
    assert.equal(existsSync(`${keyFile}.retired`), false);
    assert.equal(await edit(), 200);

    await refuseRows(app, engine, { table: "acme_accounts", on: "update" }, false);
    const rotated = await zoneward(["secrets", "rotate", ...flagsOf(app)]);
    assert.equal(rotated.code, 0, rotated.stderr);
    assert.equal(readSecretKeys(keyFile).length, 1);
  });

  test("with keys of the environment encrypts with the first, and leaves the others to the operator", async (t) => {
    const { app, keyFile } = await startAppWithSecrets(t, engine);
    const [store = "", database] = flagsOf(app).filter((flag) => !flag.startsWith("--secret-key"));
    const flags = [store, ...(database === undefined ? [] : [database])];
    const [oldKey, newKey] = [readFileSync(keyFile, "utf8").trim(), freshKey()];
    const rotated = await runCommand(["secrets", "rotate", ...flags], {
      env: { ZONEWARD_SECRET_KEY: `${newKey},${oldKey}` },
    });
    assert.equal(rotated.code, 0, rotated.stderr);
    const checked = await zoneward(["database", "check", ...flags], {
      env: { ZONEWARD_SECRET_KEY: newKey },
    });
    assert.equal(checked.code, 0, checked.stdout);
    assert.equal(readFileSync(keyFile, "utf8").trim(), oldKey);
  });
});

describe("zoneward secrets", () => {
  test("refuses what cannot be meant, and says nothing of a key", async (t) => {
    const data = newDirectory(t);
    const [key, keyFile] = [freshKey(), join(data, "key")];
    writeFileSync(keyFile, key);
    for (const [args, env, message] of [
      [["turn"], {}, /unknown command `secrets turn`/],
      [["rotate", "--new-key-file"], {}, /--new-key-file: needs a value/],
      [["rotate", `--data=${data}`], {}, /there is no store at/],
      [
        ["rotate", `--data=${data}`],
        { ZONEWARD_NEW_SECRET_KEY: "short" },
        /ZONEWARD_NEW_SECRET_KEY holds no key/,
      ],
      [
        ["rotate", `--data=${data}`],
        { ZONEWARD_SECRET_KEY: key.slice(1) },
        /ZONEWARD_SECRET_KEY: must be 32 random bytes/,
      ],
      [
        ["rotate", `--data=${data}`, `--secret-key-file=${keyFile}`],
        { ZONEWARD_SECRET_KEY: key },
        /cannot be given together with/,
      ],
    ] as const) {
      const answer = await zoneward(["secrets", ...args], { env });
      assert.notEqual(answer.code, 0);
      assert.equal(answer.stdout, "");
      assert.match(answer.stderr, message);
      assert.ok(!answer.stderr.includes(key.slice(1)));
    }
  });
});
