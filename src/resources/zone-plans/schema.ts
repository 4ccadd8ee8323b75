import { Type, type Static } from "@sinclair/typebox";

import { Nullable, OneOf } from "../../operation/schema.ts";

const Frequency = OneOf(["weekly", "monthly", "quarterly", "yearly"]);

/** Clients send back what they read, including `not-applicable`. */
const SubscriptionFrequency = Type.Union([...Frequency.anyOf, Type.Literal("not-applicable")], {
  description: "`not-applicable` for Free and Enterprise, whatever was sent.",
});

export const AvailablePlan = Type.Object({
  id: Type.String({ description: "Identifier of the plan, 32 hexadecimal characters." }),
  name: Type.String(),
  price: Type.Integer({ description: "US dollars a month on the public service; nothing is billed here." }),
  currency: Type.String(),
  frequency: Frequency,
  is_subscribed: Type.Boolean({ description: "Whether it is the zone's plan." }),
  can_subscribe: Type.Boolean(),
  legacy_id: Type.String({ description: "`free`, `pro`, `business` or `enterprise`." }),
  legacy_discount: Type.Boolean(),
  externally_managed: Type.Boolean(),
});
export type AvailablePlan = Static<typeof AvailablePlan>;

export const RatePlan = Type.Object({
  id: Type.String({ description: "What a subscription names as its `rate_plan`." }),
  name: Type.String(),
  currency: Type.String(),
  duration: Type.Integer(),
  frequency: Frequency,
  components: Type.Array(
    Type.Object({
      name: Type.String(),
      default: Type.Integer({ description: "How much of it the plan includes." }),
      unit_price: Type.Integer(),
    }),
  ),
});
export type RatePlan = Static<typeof RatePlan>;

export const ZoneSubscription = Type.Object({
  id: Type.String({ description: "Identifier of the zone, which has one subscription." }),
  rate_plan: Type.Object({
    id: Type.String({
      description: "The rate plan, as it was sent; those of partners for Enterprise read as `enterprise`.",
    }),
    public_name: Type.String(),
    currency: Type.String(),
    scope: Type.Literal("zone"),
    sets: Type.Array(Type.String()),
    is_contract: Type.Boolean(),
    externally_managed: Type.Boolean(),
  }),
  component_values: Type.Array(
    Type.Object({
      name: Type.String(),
      value: Type.Integer(),
      default: Type.Integer(),
      price: Type.Integer(),
    }),
  ),
  zone: Type.Object({ id: Type.String(), name: Type.String() }),
  state: Type.Literal("Paid"),
  price: Type.Integer(),
  currency: Type.String(),
  frequency: SubscriptionFrequency,
  current_period_start: Type.String({ format: "date-time" }),
  current_period_end: Type.Null({ description: "A subscription does not end: nothing is billed." }),
});
export type ZoneSubscription = Static<typeof ZoneSubscription>;

export const ZoneSubscriptionBody = Type.Object({
  rate_plan: Type.Optional(
    Nullable(
      Type.Object({
        id: Type.String({
          maxLength: 64,
          description:
            "`free`, `pro`, `business`, `enterprise`, or one of the older names, such as `CF_PRO_20_20`.",
        }),
      }),
    ),
  ),
  frequency: Type.Optional(Nullable(SubscriptionFrequency)),
});
export type ZoneSubscriptionBody = Static<typeof ZoneSubscriptionBody>;
