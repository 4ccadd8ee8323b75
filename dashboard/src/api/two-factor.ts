import { queryOptions } from "@tanstack/react-query";

import type {
  AddedFactor,
  NewPasskey,
  Passkey,
  RecoveryCodes,
  TotpSecret,
  TwoFactor,
} from "../../../src/resources/sessions/schema.ts";
import type { ApiError } from "./api-error.ts";
import { createPasskey } from "./passkeys.ts";
import { exchange } from "./send.ts";

export type { AddedFactor, Passkey, TotpSecret, TwoFactor };

/** The second factors of the signed-in user. */
export const twoFactorQuery = queryOptions<TwoFactor, ApiError>({
  queryKey: ["two-factor"],
  queryFn: async ({ signal }) => (await exchange<TwoFactor>("GET", "/session/two_factor", { signal })).result,
});

const post = async <Result>(path: string, body: object): Promise<Result> =>
  (await exchange<Result>("POST", `/session/two_factor/${path}`, { body: JSON.stringify(body) })).result;

export const startTotp = (password: string): Promise<TotpSecret> => post("totp", { password });

export const confirmTotp = (code: string): Promise<AddedFactor> => post("totp/confirm", { code });

export const removeTotp = (password: string): Promise<unknown> => post("totp/remove", { password });

/** Makes a passkey in this browser and adds it. */
export async function addPasskey(password: string, name: string): Promise<AddedFactor> {
  const { token, options } = await post<NewPasskey>("passkeys/start", { password });
  return post("passkeys", { token, name, passkey: await createPasskey(options) });
}

export const removePasskey = (password: string, id: string): Promise<unknown> =>
  post("passkeys/remove", { password, id });

export const renewRecoveryCodes = (password: string): Promise<RecoveryCodes> =>
  post("recovery_codes", { password });
