import { Card, Group, Stack, Text, Title } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";

import type { Plan } from "../../../../src/core/expression/phases.ts";
import { settingGroups } from "../../../../src/core/zone-settings/catalogue.ts";
import type { ZoneSetting } from "../../../../src/resources/zone-settings/schema.ts";
import { call } from "../../api/call.ts";
import { useApi } from "../../api/query.ts";
import { counted } from "../../components/counted.ts";
import { EmptyList } from "../../components/data-table.tsx";
import { Pending } from "../../components/error-alert.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { SearchInput } from "../../components/search-input.tsx";
import { planTitles, wordsOf } from "../../components/setting-words.ts";
import { useZoneOfPage } from "../../components/zone-frame.tsx";
import { SettingRow } from "./setting-row.tsx";

const route = getRouteApi("/shell/zones/$zoneId/settings");

export function ZoneSettingsPage() {
  const { zoneId, zone } = useZoneOfPage();
  const { search = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const request = call("listZoneSettings", { zone_id: zoneId });
  const { data, error, refetch } = useApi(request);
  const plan = (zone?.plan.legacy_id ?? "free") as Plan;
  return (
    <>
      <PageHeader
        title="Zone settings"
        of={zone?.name}
        description={`This zone is on the plan ${planTitles[plan]}. What needs a higher one says which.`}
        calls={[
          { title: "List the settings", call: request },
          {
            title: "Change a setting",
            call: call(
              "editZoneSetting",
              { zone_id: zoneId, setting_id: "always_use_https" },
              { value: "on" },
            ),
          },
        ]}
      />
      <Group mb="md">
        <SearchInput
          label="Search settings"
          value={search}
          onSearch={(text) => void navigate({ search: { search: text }, replace: true })}
        />
      </Group>
      {data === undefined || zone === undefined ? (
        <Pending
          height={480}
          title="The settings could not be listed"
          error={error}
          onRetry={() => void refetch()}
        />
      ) : (
        <Groups zoneId={zoneId} plan={plan} settings={data.result} sought={search} />
      )}
    </>
  );
}

interface GroupsProps {
  readonly zoneId: string;
  readonly plan: Plan;
  readonly settings: readonly ZoneSetting[];
  readonly sought: string;
}

function Groups({ zoneId, plan, settings, sought }: GroupsProps) {
  const words = sought.toLowerCase().split(/\s+/);
  const found = Object.entries(settingGroups)
    .map(([title, group]) => ({
      title,
      rows: Object.entries(group).flatMap(([id, known]) => {
        const setting = settings.find((one) => one.id === id);
        const text = `${id} ${wordsOf(id)} ${known.description} ${title}`.toLowerCase();
        return setting !== undefined && words.every((word) => text.includes(word))
          ? [{ known, setting }]
          : [];
      }),
    }))
    .filter(({ rows }) => rows.length > 0);
  if (found.length === 0)
    return (
      <Card withBorder ta="center" padding="xl">
        <EmptyList title="No setting matches">Try a part of its name, or what it is about.</EmptyList>
      </Card>
    );
  return (
    <Stack gap="xl">
      {found.map(({ title, rows }) => (
        <section key={title}>
          <Group justify="space-between" mb="sm">
            <Title order={2}>{title}</Title>
            <Text size="sm" c="dimmed">
              {counted(rows.length, "setting")}
            </Text>
          </Group>
          <Card withBorder padding={0}>
            {rows.map(({ known, setting }) => (
              <SettingRow key={setting.id} zoneId={zoneId} plan={plan} known={known} setting={setting} />
            ))}
          </Card>
        </section>
      ))}
    </Stack>
  );
}
