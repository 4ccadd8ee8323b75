import type { Operation } from "./operation/operation.ts";
import type { TaskRunner } from "./operation/task.ts";
import { accessRuleOperations } from "./resources/access-rules/operations.ts";
import { accountOperations } from "./resources/accounts/operations.ts";
import {
  accountLifecycleOperations,
  type AccountLifecycleContext,
} from "./resources/account-lifecycle/operations.ts";
import { auditLogOperations } from "./resources/audit-logs/operations.ts";
import { cacheOperations } from "./resources/cache/operations.ts";
import type { CertificateAuthorityContext } from "./resources/certificate-packs/authority.ts";
import type { CertificatePackContext } from "./resources/certificate-packs/certificate-packs.ts";
import { certificatePackOperations } from "./resources/certificate-packs/operations.ts";
import { customCertificateOperations } from "./resources/custom-certificates/operations.ts";
import { dnsOperations } from "./resources/dns/operations.ts";
import type { ScanContext } from "./resources/dns/scan.ts";
import { edgeAddressOperations, type EdgeAddressContext } from "./resources/edge-addresses/operations.ts";
import { firewallRuleOperations } from "./resources/firewall-rules/operations.ts";
import {
  gatewayNetworkOperations,
  type GatewayNetworksContext,
} from "./resources/gateway-networks/operations.ts";
import type { ListContext } from "./resources/lists/lists.ts";
import { listOperations } from "./resources/lists/operations.ts";
import { managedTransformOperations } from "./resources/managed-transforms/operations.ts";
import { membershipOperations } from "./resources/memberships/operations.ts";
import { pageRuleOperations } from "./resources/page-rules/operations.ts";
import { requestTracerOperations } from "./resources/request-tracer/operations.ts";
import { rulesetOperations } from "./resources/rulesets/operations.ts";
import type { RulesetContext } from "./resources/rulesets/rulesets.ts";
import { previousWafOperations } from "./resources/previous-waf/operations.ts";
import { securityEventOperations } from "./resources/security-events/operations.ts";
import { sessionOperations } from "./resources/sessions/operations.ts";
import type { SessionContext } from "./resources/sessions/sessions.ts";
import { tokenOperations } from "./resources/tokens/operations.ts";
import type { TokenContext } from "./resources/tokens/tokens.ts";
import { urlNormalizationOperations } from "./resources/url-normalization/operations.ts";
import { userAgentRuleOperations } from "./resources/user-agent-rules/operations.ts";
import { userOperations } from "./resources/users/operations.ts";
import { wafMigrationOperations } from "./resources/waf-migration/operations.ts";
import { wafReplayOperations } from "./resources/waf-replay/operations.ts";
import { web3HostnameOperations } from "./resources/web3-hostnames/operations.ts";
import { zoneHoldOperations } from "./resources/zone-holds/operations.ts";
import { zonePlanOperations } from "./resources/zone-plans/operations.ts";
import { zoneSettingOperations } from "./resources/zone-settings/operations.ts";
import { zoneLockdownOperations } from "./resources/zone-lockdowns/operations.ts";
import { zoneOperations } from "./resources/zones/operations.ts";
import type { ZoneContext } from "./resources/zones/zones.ts";

/** What the operations take: each as much of it as it says. */
export interface OperationContext
  extends
    AccountLifecycleContext,
    EdgeAddressContext,
    ZoneContext,
    ScanContext,
    TokenContext,
    SessionContext,
    RulesetContext,
    CertificatePackContext,
    CertificateAuthorityContext,
    GatewayNetworksContext,
    ListContext,
    TaskRunner<RulesetContext> {}

/** Every operation of every module: what is served, and what the documents are made from. */
export const operations: readonly Operation<OperationContext>[] = [
  ...edgeAddressOperations,
  ...userOperations,
  ...sessionOperations,
  ...tokenOperations,
  ...accountOperations,
  ...accountLifecycleOperations,
  ...auditLogOperations,
  ...membershipOperations,
  ...zoneOperations,
  ...zonePlanOperations,
  ...zoneSettingOperations,
  ...zoneHoldOperations,
  ...cacheOperations,
  ...dnsOperations,
  ...pageRuleOperations,
  ...accessRuleOperations,
  ...zoneLockdownOperations,
  ...userAgentRuleOperations,
  ...listOperations,
  ...urlNormalizationOperations,
  ...managedTransformOperations,
  ...firewallRuleOperations,
  ...rulesetOperations,
  ...requestTracerOperations,
  ...previousWafOperations,
  ...wafMigrationOperations,
  ...wafReplayOperations,
  ...securityEventOperations,
  ...certificatePackOperations,
  ...customCertificateOperations,
  ...web3HostnameOperations,
  ...gatewayNetworkOperations,
];
