import { createHmac } from "node:crypto";
import type { Hmac } from "../core/dns/wire/tsig.ts";

export const hmac: Hmac = (hash, secret, parts) => {
  const mac = createHmac(hash, secret);
  for (const part of parts) mac.update(part);
  return mac.digest();
};
