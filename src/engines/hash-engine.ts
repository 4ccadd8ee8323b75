import { createHmac, hash } from "node:crypto";

import type { HashEngine } from "../core/expression/engines.ts";

/** The encoding of byte strings, in which each character stands for one octet. */
const byteString = "latin1";

/** Hash functions by the cryptography of Node.js. */
export const hashEngine: HashEngine = {
  sha256: (bytes) => hash("sha256", Buffer.from(bytes, byteString), "buffer").toString(byteString),
  hmacSha256: (key, bytes) =>
    createHmac("sha256", Buffer.from(key, byteString))
      .update(bytes, byteString)
      .digest()
      .toString(byteString),
};
