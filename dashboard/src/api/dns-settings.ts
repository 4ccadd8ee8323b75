import type {
  AccountDnsSettings,
  AccountDnsSettingsBody,
  ZoneDnsSettings,
  ZoneDnsSettingsBody,
} from "../../../src/resources/dns-settings/schema.ts";
import { path, type ApiCall } from "./call.ts";

export type { ZoneDnsSettings, ZoneDnsSettingsBody };

export const zoneDnsSettingsPath = (zoneId: string): string => path`/zones/${zoneId}/dns_settings`;

export const zoneDnsSettingsOf = (zoneId: string): ApiCall<ZoneDnsSettings> => ({
  method: "GET",
  path: zoneDnsSettingsPath(zoneId),
});

export const editZoneDnsSettings = (zoneId: string, body: ZoneDnsSettingsBody): ApiCall<ZoneDnsSettings> => ({
  method: "PATCH",
  path: zoneDnsSettingsPath(zoneId),
  body,
});

export const accountDnsSettingsPath = (accountId: string): string =>
  path`/accounts/${accountId}/dns_settings`;

export const accountDnsSettingsOf = (accountId: string): ApiCall<AccountDnsSettings> => ({
  method: "GET",
  path: accountDnsSettingsPath(accountId),
});

export const editAccountDnsSettings = (
  accountId: string,
  body: AccountDnsSettingsBody,
): ApiCall<AccountDnsSettings> => ({ method: "PATCH", path: accountDnsSettingsPath(accountId), body });
