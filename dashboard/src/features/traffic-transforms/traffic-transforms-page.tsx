import { Stack, Card, Radio, Text, Title, Switch } from "@mantine/core";

import { call } from "../../api/call.ts";
import { PageHeader } from "../../components/page-header.tsx";
import { useZoneOfPage } from "../../components/zone-frame.tsx";
import type { UrlNormalization } from "../../../../src/core/transforms/url-normalization.ts";
import { useApi, useApiMutation } from "../../api/query.ts";
import { ErrorAlert, Pending } from "../../components/error-alert.tsx";
import type { ManagedTransforms } from "../../../../src/resources/managed-transforms/schema.ts";
import { wordsOf } from "../../components/setting-words.ts";
import { showDone } from "../../components/notices.tsx";

/** The normalization of URLs, and the changes of headers. */
export function TrafficTransformsPage() {
  const { zoneId, zone } = useZoneOfPage();
  return (
    <>
      <PageHeader
        title="URLs and headers"
        of={zone?.name}
        calls={[
          { title: "Get the normalization of URLs", call: call("getUrlNormalization", { zone_id: zoneId }) },
          { title: "List the managed transforms", call: call("listManagedTransforms", { zone_id: zoneId }) },
          {
            title: "Turn a managed transform on",
            call: call(
              "editManagedTransforms",
              { zone_id: zoneId },
              {
                managed_request_headers: [{ id: "add_visitor_location_headers", enabled: true }],
              },
            ),
          },
        ]}
      />
      <Stack gap="lg">
        <UrlNormalizationCard zoneId={zoneId} />
        <ManagedTransformsCard zoneId={zoneId} />
      </Stack>
    </>
  );
}

const scopes: Readonly<Record<UrlNormalization["scope"], string>> = {
  incoming: "For rules: they see normalized URLs, the origin gets them with their escapes and dot segments",
  both: "For rules and for the origin",
  none: "Not at all",
};

const normalizationKinds: Readonly<Record<UrlNormalization["type"], string>> = {
  rfc3986: "By RFC 3986: escapes of plain characters decoded, dot segments removed",
  cloudflare: "Also a backslash taken for a slash, and several slashes for one",
};

/** The normalization of URLs before rules see them; a choice holds at once. */
function UrlNormalizationCard({ zoneId }: { readonly zoneId: string }) {
  const { data, error } = useApi(call("getUrlNormalization", { zone_id: zoneId }));
  const change = useApiMutation(
    (body: UrlNormalization) => call("replaceUrlNormalization", { zone_id: zoneId }, body),
    {
      onSuccess: () => showDone("The normalization of URLs was changed."),
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
            choices={normalizationKinds}
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

const transformTexts: Readonly<Record<string, { readonly label: string; readonly effect: string }>> = {
  add_bot_protection_headers: {
    label: "Add bot protection headers",
    effect: "The bot score of a request, and whether the bot is a verified one",
  },
  add_client_certificate_headers: {
    label: "Add client certificate headers",
    effect: "What is known of the certificate that the visitor showed",
  },
  add_visitor_location_headers: {
    label: "Add visitor location headers",
    effect: "City, country, continent, and place on the map",
  },
  add_true_client_ip_headers: {
    label: "Add True-Client-IP header",
    effect: "The address of the visitor",
  },
  remove_visitor_ip_headers: {
    label: "Remove visitor address headers",
    effect: "CF-Connecting-IP, X-Forwarded-For and True-Client-IP",
  },
  add_waf_credential_check_status_header: {
    label: "Add leaked credentials header",
    effect: "Adds none: there is no list of leaked credentials here",
  },
  "remove_x-powered-by_header": {
    label: "Remove X-Powered-By header",
    effect: "Visitors are not told what the origin runs on",
  },
  add_security_headers: {
    label: "Add security headers",
    effect: "Browsers guess no types, and show pages in no frame of another site",
  },
};

type Kind = keyof ManagedTransforms;

const transformKinds: Readonly<Record<Kind, string>> = {
  managed_request_headers: "Headers that the origin gets",
  managed_response_headers: "Headers that visitors get",
};

/** Changes of headers that only have to be turned on. */
function ManagedTransformsCard({ zoneId }: { readonly zoneId: string }) {
  const { data, error } = useApi(call("listManagedTransforms", { zone_id: zoneId }));
  const change = useApiMutation(
    ({ kind, id, enabled }: { readonly kind: Kind; readonly id: string; readonly enabled: boolean }) =>
      call("editManagedTransforms", { zone_id: zoneId }, { [kind]: [{ id, enabled }] }),
    {
      onSuccess: () => showDone("The headers were changed."),
    },
  );
  return (
    <Card withBorder padding="lg">
      <Title order={2} mb="xs">
        Managed transforms
      </Title>
      <Text size="sm" c="dimmed" mb="md" maw="42rem">
        Changes of headers that only have to be turned on. Those of higher plans are not listed.
      </Text>
      {data === undefined ? (
        <Pending height={160} title="They could not be listed" error={error} />
      ) : (
        <Stack gap="lg">
          {(Object.keys(transformKinds) as Kind[]).map((kind) => (
            <Stack key={kind} gap="sm">
              <Title order={3}>{transformKinds[kind]}</Title>
              {data.result[kind].map(({ id, enabled, has_conflict, conflicts_with = [] }) => (
                <Switch
                  key={id}
                  label={transformTexts[id]?.label ?? wordsOf(id.replaceAll("-", "_"))}
                  description={
                    has_conflict && !enabled
                      ? `Not together with ${conflicts_with.map((other) => transformTexts[other]?.label ?? wordsOf(other)).join(", ")}, which is on`
                      : transformTexts[id]?.effect
                  }
                  checked={enabled}
                  disabled={change.isPending || (has_conflict && !enabled)}
                  onChange={(event) => change.mutate({ kind, id, enabled: event.currentTarget.checked })}
                />
              ))}
            </Stack>
          ))}
          <ErrorAlert title="The headers were not changed" error={change.error} />
        </Stack>
      )}
    </Card>
  );
}
