import { Type } from "@sinclair/typebox";

/** The way in which the URLs of a zone's requests are normalized before rules see them. */
export const UrlNormalizationSettings = Type.Object({
  scope: Type.Union([Type.Literal("incoming"), Type.Literal("both"), Type.Literal("none")], {
    description: "`incoming` is what rules see; `both` is also what the origin gets.",
  }),
  type: Type.Union([Type.Literal("cloudflare"), Type.Literal("rfc3986")], {
    description: "`cloudflare` also takes a backslash for a slash, and several slashes for one.",
  }),
});
