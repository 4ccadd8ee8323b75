import type { Route } from "./http/route.ts";
import { mount } from "./operation/operation.ts";
import type { TaskRunner } from "./operation/task.ts";
import { accessRuleOperations } from "./resources/access-rules/operations.ts";
import { accountOperations } from "./resources/accounts/operations.ts";
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
import { userOperations } from "./resources/users/operations.ts";
import { wafMigrationOperations } from "./resources/waf-migration/operations.ts";
import { wafReplayOperations } from "./resources/waf-replay/operations.ts";
import { web3HostnameOperations } from "./resources/web3-hostnames/operations.ts";
import { zoneHoldOperations } from "./resources/zone-holds/operations.ts";
import { zonePlanOperations } from "./resources/zone-plans/operations.ts";
import { zoneSettingOperations } from "./resources/zone-settings/operations.ts";
import { zoneOperations } from "./resources/zones/operations.ts";
import type { ZoneContext } from "./resources/zones/zones.ts";

interface RoutesContext
  extends
    EdgeAddressContext,
    ZoneContext,
    ScanContext,
    TokenContext,
    SessionContext,
    RulesetContext,
    CertificatePackContext,
    CertificateAuthorityContext,
    GatewayNetworksContext,
    TaskRunner<RulesetContext> {}

/** Every operation of every module: what is served, and what the documents are made from. */
export function mountedRoutes(context: RoutesContext): Route[] {
  return [
    ...edgeAddressOperations.map((operation) => mount(operation, context)),
    ...userOperations.map((operation) => mount(operation, context)),
    ...sessionOperations.map((operation) => mount(operation, context)),
    ...tokenOperations.map((operation) => mount(operation, context)),
    ...accountOperations.map((operation) => mount(operation, context)),
    ...auditLogOperations.map((operation) => mount(operation, context)),
    ...membershipOperations.map((operation) => mount(operation, context)),
    ...zoneOperations.map((operation) => mount(operation, context)),
    ...zonePlanOperations.map((operation) => mount(operation, context)),
    ...zoneSettingOperations.map((operation) => mount(operation, context)),
    ...zoneHoldOperations.map((operation) => mount(operation, context)),
    ...cacheOperations.map((operation) => mount(operation, context)),
    ...dnsOperations.map((operation) => mount(operation, context)),
    ...pageRuleOperations.map((operation) => mount(operation, context)),
    ...accessRuleOperations.map((operation) => mount(operation, context)),
    ...firewallRuleOperations.map((operation) => mount(operation, context)),
    ...rulesetOperations.map((operation) => mount(operation, context)),
    ...requestTracerOperations.map((operation) => mount(operation, context)),
    ...previousWafOperations.map((operation) => mount(operation, context)),
    ...wafMigrationOperations.map((operation) => mount(operation, context)),
    ...wafReplayOperations.map((operation) => mount(operation, context)),
    ...securityEventOperations.map((operation) => mount(operation, context)),
    ...certificatePackOperations.map((operation) => mount(operation, context)),
    ...customCertificateOperations.map((operation) => mount(operation, context)),
    ...web3HostnameOperations.map((operation) => mount(operation, context)),
    ...gatewayNetworkOperations.map((operation) => mount(operation, context)),
  ];
}
