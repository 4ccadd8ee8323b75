import type { Operation } from "../operation/operation.ts";
import type { TaskRunner } from "../operation/task.ts";
import * as accessRules from "../resources/access-rules/operations.ts";
import * as accountLifecycle from "../resources/account-lifecycle/operations.ts";
import type { AccountLifecycleContext } from "../resources/account-lifecycle/operations.ts";
import * as accounts from "../resources/accounts/operations.ts";
import * as auditLogs from "../resources/audit-logs/operations.ts";
import * as cache from "../resources/cache/operations.ts";
import type { CertificateAuthorityContext } from "../resources/certificate-packs/local-issuer.ts";
import * as universalCertificates from "../resources/certificate-packs/operations.ts";
import type { CertificatePackContext } from "../resources/certificate-packs/certificate-packs.ts";
import * as customCertificates from "../resources/custom-certificates/operations.ts";
import * as edgeAddresses from "../resources/edge-addresses/operations.ts";
import type { EdgeAddressContext } from "../resources/edge-addresses/operations.ts";
import * as edges from "../resources/edges/operations.ts";
import type { EdgesContext } from "../resources/edges/operations.ts";
import * as filters from "../resources/firewall-rules/operations.ts";
import * as gatewayNetworks from "../resources/gateway-networks/operations.ts";
import type { GatewayNetworksContext } from "../resources/gateway-networks/operations.ts";
import * as inviteLinks from "../resources/invite-links/operations.ts";
import type { InviteLinkContext } from "../resources/invite-links/operations.ts";
import * as listItems from "../resources/lists/operations.ts";
import type { ListContext } from "../resources/lists/lists.ts";
import * as managedTransforms from "../resources/managed-transforms/operations.ts";
import * as memberships from "../resources/memberships/operations.ts";
import * as resourceGroups from "../resources/memberships/resource-group-operations.ts";
import * as userGroupMembers from "../resources/memberships/user-group-operations.ts";
import * as pageRules from "../resources/page-rules/operations.ts";
import * as previousWaf from "../resources/previous-waf/operations.ts";
import * as requestTracer from "../resources/request-tracer/operations.ts";
import * as rulesets from "../resources/rulesets/operations.ts";
import type { RulesetContext } from "../resources/rulesets/rulesets.ts";
import * as securityEvents from "../resources/security-events/operations.ts";
import * as apiKeys from "../resources/sessions/operations.ts";
import * as factors from "../resources/sessions/factor-operations.ts";
import * as singleSignOn from "../resources/single-sign-on/operations.ts";
import type { SingleSignOnContext } from "../resources/single-sign-on/single-sign-on.ts";
import { passSecondFactor } from "../resources/sessions/second-factor.ts";
import * as tokens from "../resources/tokens/operations.ts";
import type { TokenContext } from "../resources/tokens/tokens.ts";
import * as urlNormalization from "../resources/url-normalization/operations.ts";
import * as userAgentRules from "../resources/user-agent-rules/operations.ts";
import * as users from "../resources/users/operations.ts";
import type { UserContext } from "../resources/users/operations.ts";
import * as wafMigration from "../resources/waf-migration/operations.ts";
import * as wafReplay from "../resources/waf-replay/operations.ts";
import * as web3ContentLists from "../resources/web3-hostnames/content-lists.ts";
import * as web3Hostnames from "../resources/web3-hostnames/operations.ts";
import * as zoneHolds from "../resources/zone-holds/operations.ts";
import * as zoneLockdowns from "../resources/zone-lockdowns/operations.ts";
import * as zonePlans from "../resources/zone-plans/operations.ts";
import * as zoneSettings from "../resources/zone-settings/operations.ts";
import * as transferAcls from "../resources/zone-transfers/operations.ts";
import type { TransferKeyContext } from "../resources/zone-transfers/zone-transfers.ts";
import * as subdomainConsents from "../resources/zones/operations.ts";
import * as dnsRecordScans from "../resources/dns-record-scan/operations.ts";
import type { ScanContext } from "../resources/dns-record-scan/dns-record-scan.ts";
import type { DnsContext } from "../resources/dns-records/dns-records.ts";
import * as dnsRecords from "../resources/dns-records/operations.ts";
import * as dnsSettings from "../resources/dns-settings/operations.ts";
import * as dnssec from "../resources/dnssec/operations.ts";
import type { ZoneContext } from "../resources/zones/zones.ts";

/** The contexts of all operations, each of which takes the parts that it names. */
export interface OperationContext
  extends
    AccountLifecycleContext,
    EdgeAddressContext,
    EdgesContext,
    ZoneContext,
    ScanContext,
    TokenContext,
    SingleSignOnContext,
    InviteLinkContext,
    UserContext,
    RulesetContext,
    CertificatePackContext,
    CertificateAuthorityContext,
    GatewayNetworksContext,
    ListContext,
    TransferKeyContext,
    TaskRunner<RulesetContext & DnsContext> {}

type Served = Operation<OperationContext>;

/** The files whose exports are operations: a constant each, or a list where several levels have the same. */
const modules = [
  edgeAddresses,
  edges,
  users,
  { passSecondFactor },
  singleSignOn,
  factors,
  apiKeys,
  tokens,
  accounts,
  accountLifecycle,
  auditLogs,
  memberships,
  resourceGroups,
  userGroupMembers,
  inviteLinks,
  subdomainConsents,
  zonePlans,
  zoneSettings,
  zoneHolds,
  cache,
  dnsRecords,
  dnsRecordScans,
  dnsSettings,
  dnssec,
  transferAcls,
  pageRules,
  accessRules,
  zoneLockdowns,
  userAgentRules,
  listItems,
  urlNormalization,
  managedTransforms,
  filters,
  rulesets,
  requestTracer,
  previousWaf,
  wafMigration,
  wafReplay,
  securityEvents,
  universalCertificates,
  customCertificates,
  web3Hostnames,
  web3ContentLists,
  gatewayNetworks,
] as const satisfies readonly Readonly<Record<string, Served | readonly Served[]>>[];

type Exported<Module> = Module extends Module ? Module[keyof Module] : never;
type Listed<Value> = Value extends readonly (infer One)[] ? One : Value;

/** Each operation with the types of its name, method, path and schemas. */
export type TypedOperation = Listed<Exported<(typeof modules)[number]>>;

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Every operation by path and method: what is served, and what the documents are made from. */
export const operations: readonly Served[] = modules
  .flatMap((module): Served[] => Object.values(module).flat())
  .toSorted(
    (one, other) =>
      (one.path < other.path ? -1 : Number(one.path > other.path)) ||
      methods.indexOf(one.method) - methods.indexOf(other.method),
  );
