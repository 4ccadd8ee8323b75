import { Badge, Group, Text } from "@mantine/core";

interface RuleLinesProps {
  readonly title: string;
  readonly summary?: string;
  readonly expression: string;
  /** The parameters of its action, each in words. */
  readonly parameters: readonly string[];
}

export function RuleLines({ title, summary = "", expression, parameters }: RuleLinesProps) {
  return (
    <>
      <Text size="sm" fw={500}>
        {title}
      </Text>
      {summary !== "" && (
        <Text size="sm" c="dimmed">
          {summary}
        </Text>
      )}
      <Text size="sm" c="dimmed" lineClamp={3}>
        {expression === "true" ? (
          "All requests"
        ) : (
          <span className="monospace" lang="zxx">
            {expression}
          </span>
        )}
      </Text>
      {parameters.length > 0 && (
        <Group gap={6} mt={4}>
          {parameters.map((text) => (
            <Badge key={text} size="sm" variant="light" color="gray" tt="none" fw={500} maw="100%">
              {text}
            </Badge>
          ))}
        </Group>
      )}
    </>
  );
}
