import type { Identity } from "../core/policy/caller.ts";
import { AppError } from "../core/error.ts";
import { readCredentials } from "../api/credentials.ts";
import type { HostCheck } from "../wire/host-header.ts";
import type { Api } from "../api/server-options.ts";
import type { HttpExchange } from "./http-exchange.ts";
import type { Profile } from "./profile.ts";

/** Hooks for callers and zones that do not exist. */
export interface LenientHooks {
  /** The identity of the owner, with the rights of its Global API Key. */
  readonly owner: () => Promise<Identity>;
  /** Makes an active zone of the owner, with this id if one is given. Errors: those of `createZone`. */
  readonly addZone: (zone: { readonly id?: string; readonly name: string }) => Promise<void>;
  readonly isHostAllowed: HostCheck;
}

/**
 * While the profile is `lenient`, any well-formed credentials are the owner's, and a zone is made when it is
 * used.
 */
export function lenientApi(api: Api, profile: Profile, { owner, addZone, isHostAllowed }: LenientHooks): Api {
  const lenient: Pick<Api, "authenticate" | "authorize"> = {
    authenticate: async (credentials, address) => {
      const identity = await api.authenticate(credentials, address);
      return identity instanceof AppError && credentials.session === undefined ? owner() : identity;
    },
    authorize: async (caller, permission, names) => {
      try {
        return await api.authorize(caller, permission, names);
      } catch (error) {
        const { zone_id: id } = names;
        if (!(error instanceof AppError) || error.kind !== "not-found" || id === undefined) throw error;
        await ignoringRefusal(addZone({ id, name: `${id}.example` }));
        return api.authorize(caller, permission, names);
      }
    },
  };
  const inForce = (): typeof lenient => (profile.name === "lenient" ? lenient : api);
  return {
    ...api,
    mayUseHost: (request) => profile.name !== "lenient" || isHostAllowed(request),
    authenticate: (credentials, address) => inForce().authenticate(credentials, address),
    authorize: (caller, permission, names) => inForce().authorize(caller, permission, names),
  };
}

/** Makes the zone whose name a list is filtered by, as clients find zones that way. */
export async function prepareZone(
  { operation, query, headers }: HttpExchange,
  { addZone, isHostAllowed }: LenientHooks,
): Promise<void> {
  const name = operation === "listZones" ? new URLSearchParams(query).get("name") : null;
  if (name === null || name === "" || name.includes(":") || !hasCredentials(headers)) return;
  if (!isHostAllowed({ headers })) return;
  await ignoringRefusal(addZone({ name }));
}

function hasCredentials(headers: HttpExchange["headers"]): boolean {
  try {
    readCredentials(headers);
    return true;
  } catch {
    return false;
  }
}

/** Ignores a refusal: the zone may exist, or the name may be none of a zone. */
async function ignoringRefusal(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}
