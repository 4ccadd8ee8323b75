import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** A passkey of an authenticator without a browser. */
export interface TestPasskey {
  /** The browser's body to add it, for the options of the server. */
  create(options: CreationOptions, origin: string): object;
  /** The browser's body to sign in. */
  get(options: RequestOptions, origin: string): object;
}

interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string };
}

interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
}

const userPresent = 0x01;
const hasCredential = 0x40;

/** A passkey (ES256, without attestation) that counts its signatures. */
export function newTestPasskey(): TestPasskey {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(16);
  let signatures = 0;
  const coseKey = cbor(
    new Map<number, number | Buffer>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, "base64url")],
      [-3, Buffer.from(y, "base64url")],
    ]),
  );
  const authenticatorData = (rpId: string, flags: number, rest = Buffer.alloc(0)): Buffer => {
    const head = Buffer.alloc(5);
    head.writeUInt8(flags, 0);
    head.writeUInt32BE(signatures, 1);
    return Buffer.concat([sha256(rpId), head, rest]);
  };
  const credential = { id: id.toString("base64url"), rawId: id.toString("base64url"), type: "public-key" };
  return {
    create: ({ challenge, rp }, origin) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKey]);
      const authData = authenticatorData(rp.id, userPresent | hasCredential, attested);
      const attestation = new Map<string, unknown>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", authData],
      ]);
      return {
        ...credential,
        response: {
          clientDataJSON: clientData("webauthn.create", challenge, origin).toString("base64url"),
          attestationObject: cbor(attestation).toString("base64url"),
          transports: ["internal"],
        },
        clientExtensionResults: {},
      };
    },
    get: ({ challenge, rpId }, origin) => {
      signatures += 1;
      const authData = authenticatorData(rpId, userPresent);
      const client = clientData("webauthn.get", challenge, origin);
      const signed = Buffer.concat([authData, createHash("sha256").update(client).digest()]);
      return {
        ...credential,
        response: {
          clientDataJSON: client.toString("base64url"),
          authenticatorData: authData.toString("base64url"),
          signature: sign("sha256", signed, privateKey).toString("base64url"),
        },
        clientExtensionResults: {},
      };
    },
  };
}

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

/** The parts of CBOR (RFC 8949) that credentials are made of. */
function cbor(value: unknown): Buffer {
  if (typeof value === "number") return value >= 0 ? header(0, value) : header(1, -1 - value);
  if (Buffer.isBuffer(value)) return Buffer.concat([header(2, value.length), value]);
  if (typeof value === "string") return Buffer.concat([header(3, value.length), Buffer.from(value)]);
  const entries = [...(value as Map<unknown, unknown>)];
  return Buffer.concat([header(5, entries.length), ...entries.flat().map((part) => cbor(part))]);
}

function header(major: number, argument: number): Buffer {
  if (argument < 24) return Buffer.from([(major << 5) | argument]);
  if (argument < 256) return Buffer.from([(major << 5) | 24, argument]);
  return Buffer.from([(major << 5) | 25, argument >> 8, argument & 0xff]);
}
