import { useAccountOfPage } from "../../components/account-of-page.ts";
import { useMemo } from "react";

import { ResourcePage } from "../../components/resource/resource-page.tsx";
import { useZoneOfPage } from "../../components/zone-frame.tsx";
import { accessRules } from "./access-rules.tsx";
import { userAgentRules } from "./user-agent-rules.tsx";
import { zoneLockdowns } from "./zone-lockdowns.tsx";

export function ZoneAccessRulesPage() {
  const { zoneId, zone } = useZoneOfPage();
  const resource = useMemo(() => accessRules({ zone_id: zoneId }), [zoneId]);
  return (
    <ResourcePage
      resource={resource}
      of={zone?.name}
      description="Requests to this zone, judged by where they come from. Rules of the account and of its users hold here too."
    />
  );
}

export function AccountAccessRulesPage() {
  const { accountId, account } = useAccountOfPage();
  const resource = useMemo(() => accessRules({ account_id: accountId }), [accountId]);
  return (
    <ResourcePage
      resource={resource}
      of={account?.name}
      description="Requests to all zones of the account, judged by where they come from."
    />
  );
}

const userRules = accessRules({});

export function UserAccessRulesPage() {
  return (
    <ResourcePage
      resource={userRules}
      of="My profile"
      description="Requests to all zones of your own, judged by where they come from."
    />
  );
}

export function UserAgentRulesPage() {
  const { zoneId, zone } = useZoneOfPage();
  const resource = useMemo(() => userAgentRules(zoneId), [zoneId]);
  return (
    <ResourcePage
      resource={resource}
      of={zone?.name}
      description="Requests of single user agents. How many rules a zone can have is a matter of its plan."
    />
  );
}

export function ZoneLockdownsPage() {
  const { zoneId, zone } = useZoneOfPage();
  const resource = useMemo(() => zoneLockdowns(zoneId), [zoneId]);
  return (
    <ResourcePage
      resource={resource}
      of={zone?.name}
      description="URLs that only certain addresses may ask for. Everybody else is turned away."
    />
  );
}
