import { PlusIcon } from "@heroicons/react/24/outline";
import { Button, Card, Group, List, SimpleGrid, Stack, Text, TextInput, Title, Alert } from "@mantine/core";
import { useState } from "react";
import { useQueries } from "@tanstack/react-query";

import type { TokenPermissionGroup } from "../../../../src/resources/tokens/schema.ts";
import type { ApiError } from "../../api/api-error.ts";
import { type ApiCall, call, wholeList } from "../../api/call.ts";
import { CurlCommand } from "../../components/curl-command.tsx";
import { differs, useDraft } from "../../components/drafts.tsx";
import { ErrorAlert } from "../../components/error-alert.tsx";
import { AnchorLink } from "../../components/links.tsx";
import { PolicyFields } from "./policy-fields.tsx";
import { RangesInput } from "./ranges-input.tsx";
import { TimeField } from "./time-field.tsx";
import { emptyPolicy, gapOf, withinAccount, type TokenDraft } from "./token-draft.ts";
import { useTokenOwner } from "./token-owner.ts";
import { policySentence, restrictionSentences, tokenMaking, type Names } from "./token-summary.ts";
import { callOptions, useApi } from "../../api/query.ts";
import { Form } from "../../components/form.tsx";

interface TokenFormProps {
  readonly initial: TokenDraft;
  readonly groups: readonly TokenPermissionGroup[];
  readonly action: string;
  readonly pending: boolean;
  readonly error: ApiError | null;
  /** The call that is sent, shown as `curl`. */
  readonly callOf: (draft: TokenDraft) => ApiCall<unknown>;
  readonly onSubmit: (draft: TokenDraft) => void;
  readonly onCancel: () => void;
}

/** Everything that a token is but its secret, with what that means in words. */
export function TokenForm({ initial, groups, action, pending, error, ...on }: TokenFormProps) {
  const { accountId, permissionsPage } = useTokenOwner();
  const [draft, setDraft] = useState(initial);
  useDraft(differs(initial, draft));
  const names = useResourceNames(draft);
  const change = (part: Partial<TokenDraft>): void => setDraft({ ...draft, ...part });
  const { policies } = draft;
  const gap = gapOf(draft);
  return (
    <Form gap="lg" onSend={() => on.onSubmit(draft)}>
      <TextInput
        label="Name"
        required
        withAsterisk={false}
        maxLength={120}
        maw="28rem"
        value={draft.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
        error={error?.about("/name")}
      />
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2}>Policies</Title>
          <AnchorLink size="sm" underline="always" target="_blank" to={permissionsPage}>
            What each permission lets do
          </AnchorLink>
        </Group>
        {policies.map((policy, index) => (
          <PolicyFields
            // oxlint-disable-next-line react/no-array-index-key -- a policy has no name but its place
            key={index}
            number={index + 1}
            policy={policy}
            groups={groups}
            names={names}
            onChange={(next) => change({ policies: policies.with(index, next) })}
            onRemove={
              policies.length > 1 ? () => change({ policies: policies.toSpliced(index, 1) }) : undefined
            }
          />
        ))}
        <Group>
          <Button
            variant="default"
            leftSection={<PlusIcon width={18} aria-hidden />}
            onClick={() => change({ policies: [...policies, withinAccount(emptyPolicy, accountId)] })}
          >
            Add a policy
          </Button>
        </Group>
      </Stack>
      <Stack gap="sm">
        <Title order={2}>Restrictions</Title>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <RangesInput
            label="Only from"
            placeholder="192.0.2.0/24"
            value={draft.allowFrom}
            onChange={(allowFrom) => change({ allowFrom })}
          />
          <RangesInput
            label="Never from"
            placeholder="2001:db8::/32"
            value={draft.denyFrom}
            onChange={(denyFrom) => change({ denyFrom })}
          />
          <TimeField
            label="Valid from"
            value={draft.notBefore}
            onChange={(notBefore) => change({ notBefore })}
          />
          <ExpiryField value={draft.expiresOn} onChange={(expiresOn) => change({ expiresOn })} />
        </SimpleGrid>
      </Stack>
      <TokenWarning making={tokenMaking(draft, groups)} />
      <Card withBorder component="section" aria-labelledby="token-summary">
        <Title order={2} mb="sm" id="token-summary">
          Summary
        </Title>
        <List size="sm" spacing={4}>
          {policies
            .map((policy) => policySentence(policy, groups, names))
            .map((sentence, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- two policies may say the same
              <List.Item key={index}>{sentence}</List.Item>
            ))}
          {restrictionSentences(draft).map((sentence) => (
            <List.Item key={sentence}>{sentence}</List.Item>
          ))}
        </List>
        <Text size="sm" c="dimmed" mt="sm">
          {accountId === undefined
            ? "A token can never do more than its user may at that moment."
            : "A token of an account reaches nothing outside of it."}
        </Text>
      </Card>
      {gap === undefined && <CurlCommand call={on.callOf(draft)} />}
      <ErrorAlert title="The token was not saved" error={error} saidAt={["/name"]} />
      <Group justify="space-between">
        <Text size="sm" c="dimmed" role="status">
          {gap}
        </Text>
        <Group gap="xs">
          <Button variant="default" onClick={on.onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={pending} disabled={gap !== undefined}>
            {action}
          </Button>
        </Group>
      </Group>
    </Form>
  );
}

function TokenWarning({ making }: { readonly making: "alone" | "mixed" | undefined }) {
  if (making === undefined) return undefined;
  return (
    <Alert
      color={making === "mixed" ? "red" : "yellow"}
      title={making === "mixed" ? "It should carry no other permissions" : "It can create any token for you"}
      styles={{ title: { fontWeight: 600 } }}
      role="note"
    >
      A token that can create tokens can give them access to any of your resources.{" "}
      {making === "mixed" &&
        "Create a separate token for that, and another one for everything else that this one may do. "}
      Restrict it to client addresses or a short time.
    </Alert>
  );
}

/** The names of the zones and accounts that a draft has by their ids. */
function useResourceNames({ policies }: TokenDraft): Names {
  const zoneIds = [...new Set(policies.filter(({ extent }) => extent === "zones").flatMap(({ ids }) => ids))];
  const accounts = useApi(call("listAccounts", {}, wholeList)).data?.result ?? [];
  const zones = useQueries({ queries: zoneIds.map((id) => callOptions(call("getZone", { zone_id: id }))) });
  return new Map([
    ...accounts.map(({ id, name }) => [id, name] as const),
    ...zones.flatMap(({ data }) => (data === undefined ? [] : [[data.result.id, data.result.name] as const])),
  ]);
}

interface ExpiryFieldProps {
  /** ISO 8601, UTC; empty for none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const dayMs = 86_400_000;
const presets = [
  ["7 days", 7],
  ["30 days", 30],
  ["90 days", 90],
  ["1 year", 365],
] as const;

/** Sets the expiry of a token: a time, or a number of days from now. */
function ExpiryField({ value, onChange }: ExpiryFieldProps) {
  // The field of the time keeps what is typed; a preset begins it anew.
  const [chosen, setChosen] = useState(0);
  const choose = (time: string): void => {
    onChange(time);
    setChosen((count) => count + 1);
  };
  return (
    <Stack gap="xs">
      <TimeField key={chosen} label="Expires" value={value} onChange={onChange} />
      <Group gap={4}>
        {presets.map(([label, days]) => (
          <Button
            key={label}
            size="compact-xs"
            variant="default"
            aria-label={`In ${label}`}
            onClick={() =>
              choose(new Date(Date.now() + days * dayMs).toISOString().replace(/:\d\d\.\d+Z$/, ":00Z"))
            }
          >
            In {label}
          </Button>
        ))}
        {value !== "" && (
          <Button size="compact-xs" variant="default" onClick={() => choose("")}>
            Never
          </Button>
        )}
      </Group>
    </Stack>
  );
}
