import { Badge, Card, Group, Stack, Text, Title } from "@mantine/core";

import type { TraceStep } from "../../../../src/core/judging/trace-step.ts";
import type { Zone } from "../../../../src/resources/zones/schema.ts";
import { ExplainedExpression } from "../../components/explained-expression.tsx";
import { AnchorLink } from "../../components/links.tsx";
import type { RequestOnPage } from "../../expression/explainer.ts";
import { isPhase, phaseTexts } from "../../rule-phases.ts";
import { describedRequest } from "./described-request.ts";
import type { TracedRequest } from "./traced-request.ts";

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
export function TraceSteps({ zone, request, step, showsAll }: TraceStepsProps) {
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

/** Where rules stand. */
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
