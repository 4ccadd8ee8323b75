import { Card, Radio, Stack, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";

import type { UrlNormalization } from "../../../../src/core/transforms/url-normalization.ts";
import { call } from "../../api/call.ts";
import { useApi, useApiMutation } from "../../api/query.ts";
import { ErrorAlert, Pending } from "../../components/error-alert.tsx";

const scopes: Readonly<Record<UrlNormalization["scope"], string>> = {
  incoming: "For rules: they see normalized URLs, the origin gets them with their escapes and dot segments",
  both: "For rules and for the origin",
  none: "Not at all",
};

const kinds: Readonly<Record<UrlNormalization["type"], string>> = {
  rfc3986: "By RFC 3986: escapes of plain characters decoded, dot segments removed",
  cloudflare: "Also a backslash taken for a slash, and several slashes for one",
};

/** How URLs are normalized before rules see them; what is chosen holds at once. */
export function UrlNormalizationCard({ zoneId }: { readonly zoneId: string }) {
  const { data, error } = useApi(call("getUrlNormalization", { zone_id: zoneId }));
  const change = useApiMutation(
    (body: UrlNormalization) => call("replaceUrlNormalization", { zone_id: zoneId }, body),
    {
      onSuccess: () =>
        notifications.show({ color: "green", message: "The normalization of URLs was changed." }),
    },
  );
  const shown = change.isPending ? change.variables : data?.result;
  return (
    <Card withBorder padding="lg">
      <Title order={2} mb="xs">
        URL normalization
      </Title>
      <Text size="sm" c="dimmed" mb="md" maw="42rem">
        One spelling for URLs that mean the same, so that a rule cannot be passed by another one.
      </Text>
      {shown === undefined ? (
        <Pending height={160} title="It could not be shown" error={error} />
      ) : (
        <Stack gap="lg">
          <Choice
            label="Where"
            choices={scopes}
            value={shown.scope}
            onChange={(scope) => change.mutate({ ...shown, scope })}
          />
          <Choice
            label="How"
            choices={kinds}
            value={shown.type}
            onChange={(type) => change.mutate({ ...shown, type })}
          />
          <ErrorAlert title="The normalization was not changed" error={change.error} />
        </Stack>
      )}
    </Card>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly choices: Readonly<Record<Value, string>>;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

function Choice<Value extends string>({ label, choices, value, onChange }: ChoiceProps<Value>) {
  return (
    <Radio.Group label={label} value={value} onChange={onChange}>
      <Stack gap="xs" mt="xs">
        {Object.entries<string>(choices).map(([choice, text]) => (
          <Radio key={choice} value={choice} label={text} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
