import { queriedZonesRead } from "../../operation/queried-zones.ts";
import { GraphqlAnswer, GraphqlBody } from "./schema.ts";

/** What is wrong with a query is said in its answer, not by a status. */
export const queryGraphql = queriedZonesRead({
  name: "queryGraphql",
  summary: "Read the security events of zones by GraphQL",
  path: "/graphql",
  permission: "Analytics Read",
  body: GraphqlBody,
  result: GraphqlAnswer,
  run: async (work, { body }) => {
    // The library is loaded with the first query: most processes never see one.
    const { answerQuery } = await import("./graphql.ts");
    return answerQuery(work, body);
  },
});

export const securityEventOperations = [queryGraphql] as const;
