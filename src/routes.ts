import type { Route } from "./http/route.ts";
import { accountRoutes } from "./resources/accounts/routes.ts";
import { cacheRoutes } from "./resources/cache/routes.ts";
import type { CertificateAuthorityContext } from "./resources/certificate-packs/authority.ts";
import type { CertificatePackContext } from "./resources/certificate-packs/certificate-packs.ts";
import { certificatePackRoutes } from "./resources/certificate-packs/routes.ts";
import { customCertificateRoutes } from "./resources/custom-certificates/routes.ts";
import { dnsRoutes } from "./resources/dns/routes.ts";
import type { ScanContext } from "./resources/dns/scan.ts";
import { edgeAddressRoutes } from "./resources/edge-addresses/routes.ts";
import { tokenRoutes } from "./resources/tokens/routes.ts";
import type { TokenContext } from "./resources/tokens/tokens.ts";
import { userRoutes } from "./resources/users/routes.ts";
import { zoneHoldRoutes } from "./resources/zone-holds/routes.ts";
import { zonePlanRoutes } from "./resources/zone-plans/routes.ts";
import { zoneSettingRoutes } from "./resources/zone-settings/routes.ts";
import { zoneRoutes } from "./resources/zones/routes.ts";

interface RoutesContext
  extends ScanContext, TokenContext, CertificatePackContext, CertificateAuthorityContext {
  readonly edgeAddresses: readonly string[];
}

/** Every operation of every room: what is served, and what the documents are made from. */
export function mountedRoutes(context: RoutesContext): Route[] {
  return [
    ...edgeAddressRoutes(context.edgeAddresses),
    ...userRoutes(context),
    ...tokenRoutes(context),
    ...accountRoutes(context),
    ...zoneRoutes(context),
    ...zonePlanRoutes(context),
    ...zoneSettingRoutes(context),
    ...zoneHoldRoutes(context),
    ...cacheRoutes(context),
    ...dnsRoutes(context),
    ...certificatePackRoutes(context),
    ...customCertificateRoutes(context),
  ];
}
