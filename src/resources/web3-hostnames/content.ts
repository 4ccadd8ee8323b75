import { errorCodes } from "../../core/error-codes.ts";
import { invalidRequest } from "../../core/error.ts";

const contentPath = /^\/ip[fn]s\/[^\s/]\S*$/;

/** CIDv0 is a base58btc SHA-256 multihash; the first letter of a CIDv1 is its base, here those that gateways serve. */
const cid =
  /^(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{8,}|z[1-9A-HJ-NP-Za-km-z]{8,}|k[0-9a-z]{8,}|f[0-9a-f]{8,})$/;

/** Whether it is a path below `/ipfs/` or `/ipns/`. */
export function isContentPath(text: string): boolean {
  return contentPath.test(text);
}

/** Errors: 400 code 1004. */
export function refuseContent(type: "cid" | "content_path", content: string, pointer: string): void {
  if (type === "cid" ? cid.test(content) : isContentPath(content)) return;
  const message =
    type === "cid" ? "content must be a CID" : "content must begin with /ipfs/ or /ipns/ and say of what";
  throw invalidRequest(errorCodes.web3Hostnames.invalid, message, pointer);
}
