import { Code, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode } from "react";

import type {
  Explainer,
  ExplainedExpression as Explanation,
  RequestOnPage,
} from "../expression/explainer.ts";
import classes from "./explained-expression.module.css";

interface ExplainedExpressionProps {
  /** Names the rule for screen readers: "the rule". */
  readonly of: string;
  readonly source: string;
  /** The known parts of the request. */
  readonly request: RequestOnPage;
  /** The server's result; another result here explains nothing. */
  readonly isMatched: boolean;
}

const explainerQuery = {
  queryKey: ["expression-explainer"],
  queryFn: async (): Promise<Explainer> => (await import("../expression/explainer.ts")).createExplainer(),
  staleTime: Infinity,
  gcTime: Infinity,
};

const valuesMax = 8;

/** The expression of a rule, with the parts marked that decided for a request, and the values that they saw. */
export function ExplainedExpression({ of, source, request, isMatched }: ExplainedExpressionProps) {
  const { data: explainer } = useQuery(explainerQuery);
  const found = explainer?.explain(source, request);
  const explanation = found?.value === isMatched ? found : undefined;
  const values = new Map(
    explanation?.decisions.flatMap(({ looked }) =>
      looked.map(({ at, found: value }) => [at, value] as const),
    ),
  );
  return (
    <Stack gap={6}>
      <Code block tabIndex={0} role="group" aria-label={`Expression of ${of}`} mah={240}>
        {explanation === undefined ? source : marked(source, explanation)}
      </Code>
      {values.size > 0 && (
        <Text size="xs" c="dimmed" component="div">
          {[...values].slice(0, valuesMax).map(([at, value]) => (
            <div key={at} className="monospace">
              {at}: {value ?? "(none)"}
            </div>
          ))}
        </Text>
      )}
    </Stack>
  );
}

function marked(source: string, { decisions }: Explanation): ReactNode {
  const spans = decisions.map(({ span }) => span).toSorted((one, other) => one.start - other.start);
  let end = 0;
  const parts = spans.map((span) => {
    const before = source.slice(end, span.start);
    const text = source.slice(Math.max(end, span.start), span.end);
    end = Math.max(end, span.end);
    return (
      <Fragment key={span.start}>
        {before}
        <mark className={classes.decided ?? ""}>{text}</mark>
      </Fragment>
    );
  });
  return (
    <>
      {parts}
      {source.slice(end)}
    </>
  );
}
