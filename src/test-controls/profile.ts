import { Type } from "@sinclair/typebox";
import { awkwardRules, omitOptional, seededChance, shuffleEquals } from "../core/test-controls/awkward.ts";
import { FaultSet, type Decision } from "../core/test-controls/fault-set.ts";
import { isJsonObject } from "../core/json.ts";
import type { HttpExchange } from "./http-exchange.ts";
import { testControl } from "./operation.ts";

export const profileNames = ["strict", "lenient", "awkward"] as const;

export type ProfileName = (typeof profileNames)[number];

/** A variation of the server's behaviour, so that clients do not rely on one behaviour. */
export class Profile {
  #name: ProfileName = "strict";
  #seed = 0;
  #rules = new FaultSet();

  constructor(name: ProfileName, seed: number) {
    this.change(name, seed);
  }

  get name(): ProfileName {
    return this.#name;
  }

  get seed(): number {
    return this.#seed;
  }

  /** Begins anew: the same seed varies the same requests in the same way. */
  change(name: ProfileName, seed: number): void {
    this.#name = name;
    this.#seed = seed;
    this.#rules = new FaultSet();
    if (name === "awkward") for (const rule of awkwardRules(seed)) this.#rules.add(rule);
  }

  /** Decides on a request, besides the faults. */
  decide(exchange: HttpExchange): Decision {
    return this.#rules.decide(exchange);
  }

  /** Whether the answer to a request is to be varied. */
  varies({ listener, method }: HttpExchange): boolean {
    return this.#name === "awkward" && listener === "api" && method === "GET";
  }

  /** Varies an answer in JSON: puts equal items in another order, and omits some optional members. */
  vary({ route, query, number }: HttpExchange, text: string): string {
    const envelope: unknown = JSON.parse(text);
    if (route === undefined || !isJsonObject(envelope) || envelope["success"] !== true) return text;
    const chance = seededChance(this.#seed, number);
    const { result } = envelope;
    const ordering = new URLSearchParams(query).get("order") ?? route.list?.orderings[0];
    const keyOf = (item: unknown): unknown => memberAt(item, ordering ?? "");
    const ordered =
      Array.isArray(result) && ordering !== undefined ? shuffleEquals(result, keyOf, chance) : result;
    return JSON.stringify({ ...envelope, result: omitOptional(ordered, route.schemas.result, chance) });
  }
}

function memberAt(item: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((value, name) => (isJsonObject(value) ? value[name] : undefined), item);
}

export interface ProfileContext {
  readonly profile: Profile;
}

const ProfileSchema = Type.Object({
  profile: Type.Union(profileNames.map((name) => Type.Literal(name))),
  seed: Type.Integer({ minimum: 0, maximum: 2 ** 31 }),
});

export const getProfile = testControl({
  name: "getProfile",
  summary: "Get how the server behaves as a whole",
  method: "GET",
  path: "/profile",
  result: ProfileSchema,
  run: async ({ profile }: ProfileContext) => toWire(profile),
});

export const changeProfile = testControl({
  name: "changeProfile",
  summary: "Change how the server behaves as a whole; the seed makes it repeatable",
  method: "PUT",
  path: "/profile",
  body: Type.Object({
    profile: ProfileSchema.properties.profile,
    seed: Type.Optional(ProfileSchema.properties.seed),
  }),
  result: ProfileSchema,
  run: async ({ profile }: ProfileContext, { body }) => {
    profile.change(body.profile, body.seed ?? 0);
    return toWire(profile);
  },
});

function toWire({ name, seed }: Profile): object {
  return { profile: name, seed };
}
