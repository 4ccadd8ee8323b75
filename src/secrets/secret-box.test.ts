import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";

import * as fc from "fast-check";

import { newDirectory } from "../../test/support/harness.ts";
import { createSecretBox, SecretKeyError } from "./secret-box.ts";
import { addSecretKey, newSecretKey } from "./secret-keys.ts";
import type { Sealed } from "../storage/schema/table.ts";

describe("secret box", () => {
  test("opens what it sealed, in its place alone, and shows nothing of it", () => {
    const box = createSecretBox({ kind: "memory" });
    fc.assert(
      fc.property(fc.string({ minLength: 8, unit: "binary" }), fc.string(), (secret, place) => {
        const sealed = box.seal(secret, place);
        assert.match(sealed, /^v1\.[\w-]{11}\.[\w-]+$/);
        assert.ok(!sealed.includes(secret));
        assert.notEqual(box.seal(secret, place), sealed);
        assert.equal(box.open(sealed, place), secret.toWellFormed());
        assert.throws(() => box.open(sealed, `${place} other`), SecretKeyError);
      }),
    );
  });

  test("a sealed secret with one character changed does not open", () => {
    const box = createSecretBox({ kind: "memory" });
    const sealed = box.seal("a private key", "place");
    for (let index = 0; index < sealed.length; index += 1) {
      const other = sealed[index] === "A" ? "Z" : "A";
      const changed = (sealed.slice(0, index) + other + sealed.slice(index + 1)) as Sealed;
      assert.throws(() => box.open(changed, "place"), SecretKeyError, changed);
    }
  });

  test("a sealed secret that was cut short does not open", () => {
    const box = createSecretBox({ kind: "memory" });
    const sealed = box.seal("a private key", "place");
    for (let length = 0; length < sealed.length; length += 1) {
      assert.throws(() => box.open(sealed.slice(0, length) as Sealed, "place"), SecretKeyError);
    }
  });

  test("the key is made at the first need, once, for its owner alone, and stays", (t) => {
    const directory = newDirectory(t);
    const file = join(directory, "data", "secret.key");
    const boxes = [createSecretBox({ kind: "made", file }), createSecretBox({ kind: "made", file })] as const;
    assert.deepEqual(readdirSync(directory), []);
    const sealed = boxes[0].seal("a private key", "place");
    assert.equal(boxes[1].open(sealed, "place"), "a private key");
    assert.deepEqual(readdirSync(join(directory, "data")), ["secret.key"]);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const key = readFileSync(file, "utf8");
    assert.equal(createSecretBox({ kind: "file", file }).open(sealed, "place"), "a private key");
    assert.equal(readFileSync(file, "utf8"), key);
  });

  test("knows what it signed, for its purpose alone, also with a key that was rotated since", (t) => {
    const file = join(newDirectory(t), "key");
    const box = createSecretBox({ kind: "made", file });
    const mac = box.sign("text", "purpose");
    assert.match(mac, /^[\w-]{43}$/);
    addSecretKey(file, newSecretKey());
    assert.notEqual(box.sign("text", "purpose"), mac);
    assert.equal(box.isSigned("text", mac, "purpose"), true);
    for (const [text, sent, purpose] of [
      ["other", mac, "purpose"],
      ["text", mac, "other"],
      ["text", mac.slice(1), "purpose"],
      ["text", "", "purpose"],
    ] as const) {
      assert.equal(box.isSigned(text, sent, purpose), false);
    }
    assert.equal(createSecretBox({ kind: "memory" }).isSigned("text", mac, "purpose"), false);
    assert.throws(() => createSecretBox({ kind: "none" }).isSigned("text", mac, "purpose"), SecretKeyError);
  });

  test("a key that cannot be made is an error of the key", (t) => {
    const file = join(newDirectory(t), "file");
    writeFileSync(file, "");
    const box = createSecretBox({ kind: "made", file: join(file, "secret.key") });
    assert.throws(() => box.sign("text", "purpose"), SecretKeyError);
  });

  test("another key, a damaged file, and no key at all are told apart", (t) => {
    const file = join(newDirectory(t), "key");
    const sealed = createSecretBox({ kind: "memory" }).seal("a private key", "place");
    writeFileSync(file, randomBytes(32).toString("base64"));
    assert.throws(
      () => createSecretBox({ kind: "file", file }).open(sealed, "place"),
      /with a different secret key/,
    );
    writeFileSync(file, "too short");
    assert.throws(
      () => createSecretBox({ kind: "file", file }).seal("x", "place"),
      /openssl rand -base64 32/,
    );
    assert.throws(() => createSecretBox({ kind: "none" }).seal("x", "place"), /`secret_key_file` must name/);
  });
});
