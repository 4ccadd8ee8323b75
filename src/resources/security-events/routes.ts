import { onQueriedZones } from "../../core/policy/permission.ts";
import { bareRoute, type Route } from "../../http/route.ts";
import type { Context } from "../../operation/context.ts";
import { GraphqlAnswer, GraphqlBody } from "./schema.ts";

export function securityEventRoutes({ db, now }: Context): Route[] {
  return [
    bareRoute({
      operation: "queryGraphql",
      summary: "Read the security events of zones by GraphQL",
      path: "/graphql",
      permission: onQueriedZones("Analytics Read"),
      body: GraphqlBody,
      result: GraphqlAnswer,
      handle: async ({ body, mayRead }) => {
        // The library is loaded with the first query: most processes never see one.
        const { queryGraphql } = await import("./graphql.ts");
        return queryGraphql({ db, now, mayRead }, body);
      },
    }),
  ];
}
