import { Card, Title } from "@mantine/core";

import type { TokenUsage } from "../../../../src/resources/tokens/schema.ts";
import { Bars } from "../../components/bars.tsx";
import { counted } from "../../components/counted.ts";

/** Requests that carried the token on each of the last days. */
export function TokenUse({ days }: TokenUsage) {
  const perDay = days.map(({ requests }) => requests);
  const sum = perDay.reduce((total, requests) => total + requests, 0);
  const summary = `${counted(sum, "request")} in the last ${days.length} days, at most ${Math.max(...perDay).toLocaleString("en")} in one`;
  return (
    <Card withBorder padding="lg" mb="lg">
      <Title order={2} mb="md">
        Use
      </Title>
      <Bars values={perDay} summary={summary} />
    </Card>
  );
}
