import { randomBytes } from "node:crypto";

import { SecretKeyError, type SecretBox } from "../../secrets/secret-box.ts";
import type { Context } from "../../operation/context.ts";

/**
 * Marks a browser in which a user signed in before; it is no credential. The value is `<expiry, in seconds since
 * 1970>.<random id>.<MAC>`; the MAC covers both and the user's id.
 */
export interface DeviceCookie {
  readonly value: string;
  readonly maxAgeSeconds: number;
}

type DeviceContext = Pick<Context, "now"> & { readonly secretBox: SecretBox };

const lifetimeSeconds = 365 * 24 * 60 * 60;
const purpose = "device cookie";
const form = /^(\d{1,12})\.([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

/** For a browser that has just signed in; undefined without a secret key. */
export function newDeviceCookie({ secretBox, now }: DeviceContext, userId: string): DeviceCookie | undefined {
  const content = `${inSeconds(now()) + lifetimeSeconds}.${randomBytes(16).toString("base64url")}`;
  try {
    const mac = secretBox.sign(`${userId}.${content}`, purpose);
    return { value: `${content}.${mac}`, maxAgeSeconds: lifetimeSeconds };
  } catch (error) {
    if (error instanceof SecretKeyError) return undefined;
    throw error;
  }
}

/** The id in a valid cookie of the user; undefined for any other text. */
export function deviceOf(
  { secretBox, now }: DeviceContext,
  userId: string,
  cookie: string | undefined,
): string | undefined {
  const [, endsAt = "", id = "", mac = ""] = form.exec(cookie ?? "") ?? [];
  if (id === "" || Number(endsAt) <= inSeconds(now())) return undefined;
  try {
    return secretBox.isSigned(`${userId}.${endsAt}.${id}`, mac, purpose) ? id : undefined;
  } catch (error) {
    if (error instanceof SecretKeyError) return undefined;
    throw error;
  }
}

function inSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}
