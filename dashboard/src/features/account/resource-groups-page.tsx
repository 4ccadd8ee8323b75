import { useAccountOfPage } from "../../components/account-of-page.ts";
import { useMemo } from "react";
import { MultiSelect } from "@mantine/core";

import { call, wholeList } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { ResourcePage } from "../../components/resource/resource-page.tsx";
import type { ResourceGroup } from "../../../../src/resources/memberships/schema.ts";
import { EmptyList } from "../../components/data-table.tsx";
import { textField, type ControlProps } from "../../components/resource/field.tsx";
import type { Resource } from "../../components/resource/resource.ts";

export function ResourceGroupsPage() {
  const { accountId, account } = useAccountOfPage();
  // Every account has a group of its own, which says how the server writes its key.
  const known = useApi(call("listResourceGroups", { account_id: accountId })).data?.result[0]?.scope.key;
  const accountKey = known ?? `com.cloudflare.api.account.${accountId}`;
  const resource = useMemo(() => resourceGroups(accountId, accountKey), [accountId, accountKey]);
  return (
    <ResourcePage
      resource={resource}
      of={account?.name}
      description="Zones that policies of members name together."
    />
  );
}

interface ResourceGroupDraft {
  readonly name: string;
  /** None for all zones of the account. */
  readonly zoneIds: readonly string[];
}

type Body = Pick<ResourceGroup, "name" | "scope">;

const objectKeys = ({ scope }: ResourceGroup): readonly string[] => scope.objects.map(({ key }) => key);

/** The group that every account has is called by its key. */
const groupName = ({ name, meta, scope }: ResourceGroup): string =>
  meta.editable === "false" && name === scope.key ? "The account itself" : name;

function extentText(group: ResourceGroup): string {
  const keys = objectKeys(group);
  if (keys.includes("*")) return "The whole account";
  if (keys.some((key) => key.endsWith(".zone.*"))) return "All zones of the account";
  return keys.length === 1 ? "One zone" : `${keys.length} zones`;
}

/** The resource groups of an account: what policies of members are about. `accountKey` is the account as a resource. */
function resourceGroups(accountId: string, accountKey: string): Resource<ResourceGroup, ResourceGroupDraft> {
  const zoneKey = `${accountKey.slice(0, -accountId.length)}zone.`;
  const bodyOf = ({ name, zoneIds }: ResourceGroupDraft): Body => ({
    name: name.trim(),
    scope: {
      key: accountKey,
      objects: (zoneIds.length === 0 ? ["*"] : zoneIds).map((id) => ({ key: zoneKey + id })),
    },
  });
  return {
    noun: "resource group",
    title: "Resource groups",
    list: () => call("listResourceGroups", { account_id: accountId }),
    columns: [
      { key: "name", header: "Name", cell: groupName },
      { key: "extent", header: "What it names", cell: extentText },
    ],
    nameOf: ({ name }) => name,
    isFixed: ({ meta }) => meta.editable === "false",
    empty: <EmptyList title="No resource groups" />,
    deletion: "Policies of members that name it alone lose what they give.",
    fields: {
      name: textField({ label: "Name", pointer: "/name" }),
      zoneIds: {
        label: "Zones",
        pointer: "/scope",
        isOptional: true,
        control: (props) => <ZonesControl accountId={accountId} {...props} />,
      },
    },
    blank: { name: "", zoneIds: [] },
    draftOf: (group) => ({
      name: group.name,
      zoneIds: objectKeys(group)
        .filter((key) => key.startsWith(zoneKey) && !key.endsWith("*"))
        .map((key) => key.slice(zoneKey.length)),
    }),
    create: (draft) => call("createResourceGroup", { account_id: accountId }, bodyOf(draft)),
    edit: ({ id }, draft) =>
      call("replaceResourceGroup", { account_id: accountId, resource_group_id: id }, bodyOf(draft)),
    remove: ({ id }) => call("deleteResourceGroup", { account_id: accountId, resource_group_id: id }),
  };
}

interface ZonesControlProps extends ControlProps<readonly string[]> {
  readonly accountId: string;
}

function ZonesControl({ accountId, words, value, onChange, error, disabled }: ZonesControlProps) {
  const request = call("listZones", {}, { ...wholeList, order: "name", "account.id": accountId });
  const zones = useApi(request).data?.result ?? [];
  const names = new Map(zones.map(({ id, name }) => [id, name]));
  for (const id of value) if (!names.has(id)) names.set(id, id);
  return (
    <MultiSelect
      {...words}
      description="None: all zones of the account"
      searchable
      data={[...names].map(([id, label]) => ({ value: id, label }))}
      value={[...value]}
      onChange={onChange}
      error={error}
      disabled={disabled}
    />
  );
}
