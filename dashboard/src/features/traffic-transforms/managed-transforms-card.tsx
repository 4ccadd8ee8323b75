import { Card, Stack, Switch, Text, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";

import type { ManagedTransforms } from "../../../../src/resources/managed-transforms/schema.ts";
import { call } from "../../api/call.ts";
import { useApi, useApiMutation } from "../../api/query.ts";
import { ErrorAlert, Pending } from "../../components/error-alert.tsx";
import { wordsOf } from "../../components/setting-words.ts";

/** What each is called, and does. */
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

const kinds: Readonly<Record<Kind, string>> = {
  managed_request_headers: "Headers that the origin gets",
  managed_response_headers: "Headers that visitors get",
};

/** Changes of headers that only have to be turned on. */
export function ManagedTransformsCard({ zoneId }: { readonly zoneId: string }) {
  const { data, error } = useApi(call("listManagedTransforms", { zone_id: zoneId }));
  const change = useApiMutation(
    ({ kind, id, enabled }: { readonly kind: Kind; readonly id: string; readonly enabled: boolean }) =>
      call("editManagedTransforms", { zone_id: zoneId }, { [kind]: [{ id, enabled }] }),
    {
      onSuccess: () => notifications.show({ color: "green", message: "The headers were changed." }),
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
          {(Object.keys(kinds) as Kind[]).map((kind) => (
            <Stack key={kind} gap="sm">
              <Title order={3}>{kinds[kind]}</Title>
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
