import { Alert, Card, Code, Group, Stack, Switch, Text, Title, Badge } from "@mantine/core";
import { useState } from "react";

import type { TraceStep } from "../../../../src/core/judging/trace-step.ts";
import type { Zone } from "../../../../src/resources/zones/schema.ts";
import type { ResultOf } from "../../api/call.ts";
import { type TracedRequest, readHeaders } from "./traced-request.ts";
import { ExplainedExpression } from "../../components/explained-expression.tsx";
import { AnchorLink } from "../../components/links.tsx";
import type { RequestOnPage } from "../../expression/explainer.ts";
import { isPhase, phaseTexts } from "../../rule-phases.ts";
import { planOrder } from "../../../../src/core/expression/phases.ts";

interface TraceResultProps {
  readonly zone: Zone;
  readonly request: TracedRequest;
  readonly result: ResultOf<"traceRequest">;
}

/** The result of the request, and the rules on its way. */
export function TraceResult({ zone, request, result }: TraceResultProps) {
  const [showsAll, setShowsAll] = useState(false);
  const { status_code: status, origin_request: origin, trace } = result;
  const hasMatch = trace.some(({ matched }) => matched);
  return (
    <Stack gap="md" role="region" aria-label="Result of the trace">
      <Alert
        color={status === undefined ? "green" : "red"}
        role="status"
        title={
          status === undefined ? "The request reaches the origin" : `A rule answers with status ${status}`
        }
      >
        {hasMatch ? "The rules that it met follow in their order." : "It met no rule."}
      </Alert>
      <Group justify="space-between">
        <Title order={2}>Rules</Title>
        <Switch
          label="Show rules that did not match"
          checked={showsAll}
          onChange={(event) => setShowsAll(event.currentTarget.checked)}
        />
      </Group>
      {shownSteps(trace, showsAll).map((step) => (
        <TraceSteps key={step.step_name} zone={zone} request={request} step={step} showsAll={showsAll} />
      ))}
      {origin !== undefined && (
        <Card withBorder padding="md">
          <Title order={2} size="sm" mb="xs">
            The request as the origin gets it
          </Title>
          <Code block tabIndex={0} role="region" aria-label="Request to the origin" mah={260}>
            {[
              `${request.method} ${origin.url}`,
              ...origin.headers.map(({ name, value }) => `${name}: ${value}`),
            ].join("\n")}
          </Code>
          <Text size="xs" c="dimmed" mt={4}>
            Without the headers that an edge adds by itself.
          </Text>
        </Card>
      )}
    </Stack>
  );
}

function shownSteps(steps: readonly TraceStep[], showsAll: boolean): readonly TraceStep[] {
  return showsAll ? steps : steps.filter(({ matched }) => matched);
}

interface TraceStepsProps {
  readonly zone: Zone;
  readonly request: TracedRequest;
  /** A phase or a product, with what is in it. */
  readonly step: TraceStep;
  readonly showsAll: boolean;
}

const stageNames: Readonly<Record<string, string>> = {
  page_rules: "Page rules",
  zoneLockdown: "Zone lockdowns",
  uaBlock: "User agent rules",
  bic: "Browser integrity check",
  securityLevel: "Security level",
  hot: "Hotlink protection",
  managed_transforms: "Managed transforms",
  waf: "Previous managed rules",
};

/** One stage on the way of a request, with its rules. */
function TraceSteps({ zone, request, step, showsAll }: TraceStepsProps) {
  const name = step.step_name;
  const described = describedRequest(request, zone);
  return (
    <Card withBorder padding="md" component="section" aria-label={stageName(name)}>
      <Group gap="sm" mb="xs">
        <Title order={3} size="sm">
          {stageName(name)}
        </Title>
        {!step.matched && <NotMatched />}
      </Group>
      <Stack gap="sm">
        {rulesOf(step, showsAll).map(({ rule, of, address }) => (
          <RuleStep
            key={`${of} ${rule.step_name}`}
            rule={rule}
            of={of}
            address={address && `/zones/${zone.id}/rules/${address}`}
            request={described}
          />
        ))}
      </Stack>
    </Card>
  );
}

interface MetRule {
  readonly rule: TraceStep;
  /** The ruleset that it is in, where it has a name. */
  readonly of: string | undefined;
  /** Below the rules of the zone; undefined for one of another owner. */
  readonly address: string | undefined;
}

interface Place {
  /** The name of their ruleset, unless it is the zone's own. */
  readonly of: string | undefined;
  readonly isOwn: boolean;
}

/** The rules of a stage; those of a ruleset that a rule executes follow it. */
function rulesOf(stage: TraceStep, showsAll: boolean): MetRule[] {
  const rulesIn = (steps: readonly TraceStep[] = [], { of, isOwn }: Place): MetRule[] =>
    steps
      .filter(({ matched }) => showsAll || matched)
      .flatMap((step) => {
        if (step.type !== "ruleset") {
          const address = isOwn ? `${stage.step_name}/${step.step_name}` : undefined;
          return [{ rule: step, of, address }].concat(rulesIn(step.trace, { of, isOwn: false }));
        }
        return step.kind === "zone"
          ? rulesIn(step.trace, { of: undefined, isOwn: true })
          : rulesIn(step.trace, { of: step.name, isOwn: false });
      });
  return rulesIn(stage.trace, { of: undefined, isOwn: false });
}

interface RuleStepProps {
  readonly rule: TraceStep;
  readonly of: string | undefined;
  readonly address: string | undefined;
  readonly request: RequestOnPage;
}

function RuleStep({ rule, of, address, request }: RuleStepProps) {
  const { description, action, matched, expression } = rule;
  const title = description || rule.name || rule.step_name;
  return (
    <div>
      <Group gap="sm" mb={4}>
        {address === undefined ? (
          <Text size="sm" fw={500}>
            {title}
          </Text>
        ) : (
          <AnchorLink size="sm" fw={500} to={address}>
            {title}
          </AnchorLink>
        )}
        {action !== undefined && (
          <Badge variant="light" tt="none" color={matched ? "red" : "gray"}>
            {action.replaceAll("_", " ")}
          </Badge>
        )}
        {!matched && <NotMatched />}
        {of !== undefined && (
          <Text size="xs" c="dimmed">
            {of}
          </Text>
        )}
      </Group>
      {expression !== undefined && (
        <ExplainedExpression of={title} source={expression} request={request} isMatched={matched} />
      )}
    </div>
  );
}

function NotMatched() {
  return (
    <Badge variant="light" color="gray" tt="none">
      did not match
    </Badge>
  );
}

function stageName(name: string): string {
  return isPhase(name) ? phaseTexts[name].title : (stageNames[name] ?? name);
}

/** The request as rules see it, as far as the page knows it: its address is known to the server alone. */
function describedRequest(request: TracedRequest, zone: Zone): RequestOnPage {
  const country = request.country.toUpperCase();
  return {
    method: request.method.toUpperCase(),
    url: request.url,
    protocol: request.protocol,
    headers: readHeaders(request.headers).headers,
    cookies: {},
    body: request.body,
    zone: { name: zone.name, plan: planOrder.find((plan) => plan === zone.plan.legacy_id) ?? "free" },
    address: "",
    time: Math.floor(Date.now() / 1000),
    known: {
      ...(country !== "" && { "ip.src.country": country }),
      ...(request.botScore !== undefined && { "cf.bot_management.score": request.botScore }),
    },
  };
}
