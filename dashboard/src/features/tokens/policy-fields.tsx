import { Card, Group, MultiSelect, Select, Stack, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";

import type { TokenPermissionGroup } from "../../../../src/resources/tokens/schema.ts";
import { RemoveButton } from "../../components/icon-button.tsx";
import { groupsOfType, groupTypeOf, type Extent, type PolicyDraft, withinAccount } from "./token-draft.ts";
import { useTokenOwner } from "./token-owner.ts";
import { policySentence, type Names } from "./token-summary.ts";
import classes from "./policy-fields.module.css";
import { call, wholeList } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";

const extents: readonly { readonly value: Extent; readonly label: string }[] = [
  { value: "all-zones", label: "All zones" },
  { value: "zones-of-accounts", label: "All zones of an account" },
  { value: "zones", label: "Chosen zones" },
  { value: "all-accounts", label: "All accounts" },
  { value: "accounts", label: "Chosen accounts" },
  { value: "user", label: "My user" },
];

const extentsInAccount: typeof extents = [
  { value: "zones-of-accounts", label: "All zones" },
  { value: "zones", label: "Chosen zones" },
  { value: "accounts", label: "The account" },
];

interface PolicyFieldsProps {
  readonly number: number;
  readonly policy: PolicyDraft;
  readonly groups: readonly TokenPermissionGroup[];
  readonly names: Names;
  readonly onChange: (policy: PolicyDraft) => void;
  readonly onRemove: (() => void) | undefined;
}

/** One policy: whether it allows or denies, on what, and which permissions. */
export function PolicyFields({ number, policy, groups, names, onChange, onRemove }: PolicyFieldsProps) {
  const { effect, extent, ids, groupIds } = policy;
  const { accountId } = useTokenOwner();
  const offered = accountId === undefined ? extents : extentsInAccount;
  const change = (part: Partial<PolicyDraft>): void => onChange({ ...policy, ...part });
  const changeExtent = (next: Extent): void =>
    onChange(
      withinAccount(
        {
          ...policy,
          extent: next,
          ids: [],
          groupIds: groupTypeOf[next] === groupTypeOf[extent] ? groupIds : [],
        },
        accountId,
      ),
    );
  return (
    <Card withBorder component="fieldset" aria-label={`Policy ${number}`} className={classes.policy ?? ""}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Text component="h3" m={0} fw={600} size="sm">
            Policy {number}
          </Text>
          {onRemove !== undefined && <RemoveButton label={`Remove policy ${number}`} onClick={onRemove} />}
        </Group>
        <div className={classes.fields}>
          <Select
            label="Effect"
            data={[
              { value: "allow", label: "Allow" },
              { value: "deny", label: "Deny" },
            ]}
            value={effect}
            allowDeselect={false}
            onChange={(value) => change({ effect: value === "deny" ? "deny" : "allow" })}
          />
          <Select
            label="Resources"
            data={[...offered]}
            value={extent}
            allowDeselect={false}
            onChange={(value) =>
              changeExtent(extents.find((known) => known.value === value)?.value ?? extent)
            }
          />
          {extent === "zones" && (
            <ZoneChoice
              accountId={accountId}
              ids={ids}
              names={names}
              onChange={(next) => change({ ids: next })}
            />
          )}
          {accountId === undefined && (extent === "accounts" || extent === "zones-of-accounts") && (
            <AccountChoice ids={ids} onChange={(next) => change({ ids: next })} />
          )}
        </div>
        <MultiSelect
          label="Permissions"
          placeholder={groupIds.length === 0 ? "Search permissions" : ""}
          searchable
          hidePickedOptions
          nothingFoundMessage="No permission matches"
          data={groupsOfType(groups, groupTypeOf[extent]).map(({ id, name }) => ({ value: id, label: name }))}
          value={[...groupIds]}
          onChange={(next) => change({ groupIds: next })}
          styles={{ inputField: { minWidth: 120 }, pillsList: { maxHeight: 160, overflowY: "auto" } }}
        />
        <Text size="sm" c="dimmed">
          {policySentence(policy, groups, names)}
        </Text>
      </Stack>
    </Card>
  );
}

interface ChoiceProps {
  readonly ids: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
}

function AccountChoice({ ids, onChange }: ChoiceProps) {
  const { data } = useApi(call("listAccounts", {}, wholeList));
  const known = data?.result ?? [];
  return (
    <MultiSelect
      label="Accounts"
      placeholder={ids.length === 0 ? "Choose accounts" : ""}
      searchable
      data={known.map(({ id, name }) => ({ value: id, label: name }))}
      value={[...ids]}
      onChange={onChange}
    />
  );
}

const zonesOffered = 50;

interface ZoneChoiceProps extends ChoiceProps {
  /** Limits the choice to zones of an account; any zones if undefined. */
  readonly accountId: string | undefined;
  /** Has those that are chosen already. */
  readonly names: Names;
}

/** Chooses zones, which the server searches. */
function ZoneChoice({ accountId, ids, names, onChange }: ZoneChoiceProps) {
  const [search, setSearch] = useState("");
  const [searched] = useDebouncedValue(search.trim().toLowerCase(), 200);
  const { data } = useApi(
    call(
      "listZones",
      {},
      {
        page: 1,
        per_page: zonesOffered,
        name: searched === "" ? undefined : `contains:${searched}`,
        "account.id": accountId,
      },
    ),
  );
  const offered = new Map((data?.result ?? []).map(({ id, name }) => [id, name]));
  for (const id of ids) offered.set(id, names.get(id) ?? offered.get(id) ?? id);
  return (
    <MultiSelect
      label="Zones"
      placeholder={ids.length === 0 ? "Search zones" : ""}
      searchable
      nothingFoundMessage="No zone matches"
      searchValue={search}
      onSearchChange={setSearch}
      data={[...offered].map(([value, label]) => ({ value, label }))}
      value={[...ids]}
      onChange={onChange}
    />
  );
}
