import { queriedZonesRead } from "../../operation/queried-zones.ts";
import { GraphqlAnswer, GraphqlBody } from "./schema.ts";

/** Errors of a query are in its answer, with status 200. */
export const queryGraphql = queriedZonesRead({
  name: "queryGraphql",
  summary: "Read the security events of zones by GraphQL",
  path: "/graphql",
  permission: "Analytics Read",
  body: GraphqlBody,
  result: GraphqlAnswer,
  run: async (work, { body }) => {
    // Loaded with the first query: most processes never get one.
    const { answerQuery } = await import("./graphql.ts");
    return answerQuery(work, body);
  },
});
