import { permissionGroups } from "../../src/core/policy/permission-groups.ts";
import { createAuthority, issueServerCertificate } from "../../src/tls/local-ca.ts";
import { startOfTime, type TestAnswer } from "../support/harness.ts";
import type { RouteDescription } from "../../src/api/route.ts";
import { defaultRoleId, superAdministratorId } from "../../src/core/policy/roles.ts";
import { addAccount, idOf } from "../support/store.ts";
import { allow, keys, type World } from "./world.ts";

/** A request that is in order, but for who sends it. */
export interface ValidRequest {
  /** Values of the parameters in the path besides `zone_id` and `account_id`. */
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly rawBody?: string;
  readonly contentType?: string;
  readonly query?: string;
}

type MakeRequest = (world: World) => ValidRequest | Promise<ValidRequest>;

const nothing: MakeRequest = () => ({});

let made = 0;
const fresh = (): number => (made += 1);

/** Makes a DNS record and answers its id. */
async function newRecord({ app, zoneId }: World): Promise<string> {
  const name = `n${fresh()}.example.com`;
  const { body } = await app.request("POST", `/zones/${zoneId}/dns_records`, {
    body: { type: "A", name, content: "192.0.2.1" },
  });
  return body.result.id as string;
}

const zoneFile = [
  "--part",
  'content-disposition: form-data; name="file"; filename="zone.txt"',
  "",
  "imported 300 IN A 192.0.2.7",
  "--part--",
  "",
].join("\r\n");

const logForm = zoneFile
  .replace("zone.txt", "access.log")
  .replace(
    "imported 300 IN A 192.0.2.7",
    '192.0.2.1 - - [02/Jan/2026:03:04:05 +0000] "GET /?q=%3Cscript%3E HTTP/1.1" 200 1 "-" "-"',
  );

function tokenBody({ zoneId }: World): object {
  const group = permissionGroups.find(({ scope }) => scope === "zone");
  if (group === undefined) throw new Error("no group");
  return { name: "another", policies: [allow(keys.zone(zoneId), group)] };
}

async function newToken(world: World, path: string): Promise<string> {
  const { body } = await world.app.request("POST", path, { body: tokenBody(world) });
  return body.result.id as string;
}
const newUserToken = (world: World): Promise<string> => newToken(world, "/user/tokens");
const newAccountToken = (world: World): Promise<string> =>
  newToken(world, `/accounts/${world.accountId}/tokens`);

const newMember = () => ({ email: `m${fresh()}@example.com`, roles: [superAdministratorId] });
const withMember: MakeRequest = async ({ app, accountId }) => {
  const { body } = await app.request("POST", `/accounts/${accountId}/members`, { body: newMember() });
  return { params: { member_id: body.result.id as string } };
};

const resourceGroupOf = ({ accountId, zoneId }: World) => ({
  name: `group ${fresh()}`,
  scope: {
    key: `com.cloudflare.api.account.${accountId}`,
    objects: [{ key: `com.cloudflare.api.account.zone.${zoneId}` }],
  },
});
const withResourceGroup: MakeRequest = async (world) => {
  const { body } = await world.app.request("POST", `/accounts/${world.accountId}/iam/resource_groups`, {
    body: resourceGroupOf(world),
  });
  return { params: { resource_group_id: body.result.id as string } };
};

const userGroupOf = ({ accountId }: World) => ({
  name: `user group ${fresh()}`,
  policies: [
    {
      access: "allow",
      permission_groups: [{ id: "8e23b19e4e0d44c29d239c5688ba8cbb" }],
      resource_groups: [{ id: accountId }],
    },
  ],
});
const withUserGroup: MakeRequest = async (world) => {
  const { body } = await world.app.request("POST", `/accounts/${world.accountId}/iam/user_groups`, {
    body: userGroupOf(world),
  });
  return { params: { user_group_id: body.result.id as string } };
};
/** A user group, and a member of the account who is in it or not. */
const withUserGroupAndMember =
  (isIn: boolean): MakeRequest =>
  async (world) => {
    const [group, member] = [await withUserGroup(world), await withMember(world)];
    const params = { ...group.params, ...member.params };
    const body = [{ id: member.params?.["member_id"] }];
    const path = `/accounts/${world.accountId}/iam/user_groups/${group.params?.["user_group_id"]}/members`;
    if (isIn) await world.app.request("POST", path, { body });
    return isIn ? { params } : { params, body };
  };

const withInvite =
  (parameter: "invite_id" | "membership_id"): MakeRequest =>
  async ({ app }) => {
    const name = `Inviting ${fresh()}`;
    await addAccount(app, name, "pending");
    return { params: { [parameter]: idOf(`membership ${name}`) } };
  };

const withRecord: MakeRequest = async (world) => ({ params: { dns_record_id: await newRecord(world) } });
const withRecordAndBody: MakeRequest = async (world) => ({
  ...(await withRecord(world)),
  body: { type: "A", name: `c${fresh()}.example.com`, content: "192.0.2.9" },
});

/** Orders a certificate pack and answers its id. */
const withPack: MakeRequest = async ({ app, zoneId }) => {
  const { body } = await app.request("POST", `/zones/${zoneId}/ssl/certificate_packs/order`, {
    body: packOrder,
  });
  return { params: { certificate_pack_id: body.result.id as string } };
};

const packOrder = {
  type: "advanced",
  hosts: ["example.com"],
  validation_method: "txt",
  validity_days: 90,
  certificate_authority: "google",
};

const withCustomCertificate: MakeRequest = async ({ app, zoneId }) => {
  const { body } = await app.request("POST", `/zones/${zoneId}/custom_certificates`, {
    body: await newCustomCertificate(),
  });
  return { params: { custom_certificate_id: body.result.id as string } };
};

async function newCustomCertificate(): Promise<object> {
  const validity = { notBefore: startOfTime, notAfter: new Date(startOfTime.getTime() + 86_400_000) };
  const authority = await createAuthority("Test CA", validity);
  const { certificate, privateKey } = await issueServerCertificate(authority, ["example.com"], validity);
  return { certificate, private_key: privateKey };
}

const newList = () => ({ kind: "ip", name: `list_${fresh()}` });
const newListItem = () => ({ ip: `198.51.100.${fresh() % 256}` });

/** Makes a list with an item, and answers what names them in paths, and the operation that added it. */
async function listOf({ app, accountId }: World) {
  const path = `/accounts/${accountId}/rules/lists`;
  const list_id = (await app.request("POST", path, { body: newList() })).body.result.id as string;
  const items = `${path}/${list_id}/items`;
  const added = await app.request("POST", items, { body: [newListItem()] });
  const [item] = (await app.request("GET", items)).body.result;
  const operation_id = added.body.result.operation_id as string;
  return { list_id, item_id: item.id as string, operation_id };
}
const withList: MakeRequest = async (world) => ({ params: await listOf(world) });

const customPhase = { ruleset_phase: "http_request_firewall_custom" };
const blocking = { action: "block", expression: "ip.src eq 192.0.2.1" };

/** Makes a ruleset with one rule and a second version, and answers what names it in paths. */
async function newRuleset({ app, zoneId, accountId }: World, level: "zone" | "account") {
  const base = level === "zone" ? `/zones/${zoneId}/rulesets` : `/accounts/${accountId}/rulesets`;
  const entryPoint = `${base}/phases/http_request_firewall_custom/entrypoint`;
  await app.request("PUT", entryPoint, { body: { rules: [blocking] } });
  const { body } = await app.request("PUT", entryPoint, { body: { rules: [blocking] } });
  const { id, rules } = body.result;
  return { ruleset_id: id as string, rule_id: rules[0].id as string, ruleset_version: "1", ...customPhase };
}

function rulesetRequests(level: "zone" | "account"): Readonly<Record<string, MakeRequest>> {
  const withRuleset: MakeRequest = async (world) => ({ params: await newRuleset(world, level) });
  const withBody =
    (body: object): MakeRequest =>
    async (world) => ({ params: await newRuleset(world, level), body });
  const requests: Readonly<Record<string, MakeRequest>> = {
    listRulesets: nothing,
    createRuleset: () => ({
      body: {
        name: "another",
        kind: level === "zone" ? "zone" : "custom",
        phase: level === "zone" ? "http_ratelimit" : "http_request_firewall_custom",
      },
    }),
    getEntryPoint: withRuleset,
    replaceEntryPoint: withBody({ rules: [blocking] }),
    listEntryPointVersions: withRuleset,
    getEntryPointVersion: withRuleset,
    getRuleset: withRuleset,
    replaceRuleset: withBody({ description: "Changed" }),
    createRule: withBody(blocking),
    editRule: withBody(blocking),
    deleteRule: withRuleset,
    listRulesetVersions: withRuleset,
    getRulesetVersion: withRuleset,
    deleteRulesetVersion: withRuleset,
    deleteRuleset: withRuleset,
  };
  if (level === "zone") return requests;
  return Object.fromEntries(
    Object.entries(requests).map(([name, make]) => [
      name.replace(/^[a-z]+/, (verb) => `${verb}Account`),
      make,
    ]),
  );
}

const pageRule = {
  targets: [{ target: "url", constraint: { operator: "matches", value: "*example.com/x/*" } }],
  actions: [{ id: "disable_security" }],
};
const newWeb3Hostname = () => ({ name: `web3-${fresh()}.example.com`, target: "ethereum" });
const withWeb3Hostname: MakeRequest = async ({ app, zoneId }) => {
  const { body } = await app.request("POST", `/zones/${zoneId}/web3/hostnames`, { body: newWeb3Hostname() });
  return { params: { web3_hostname_id: body.result.id as string } };
};

const listedContent = () => ({ type: "content_path", content: `/ipns/${fresh()}.example.com` });
const withContentList: MakeRequest = async ({ app, zoneId }) => {
  const { body } = await app.request("POST", `/zones/${zoneId}/web3/hostnames`, {
    body: { ...newWeb3Hostname(), target: "ipfs_universal_path" },
  });
  return { params: { web3_hostname_id: body.result.id as string } };
};
const withListedContent: MakeRequest = async (world) => {
  const { params = {} } = await withContentList(world);
  const list = `/zones/${world.zoneId}/web3/hostnames/${params["web3_hostname_id"]}/ipfs_universal_path/content_list`;
  const { body } = await world.app.request("POST", `${list}/entries`, { body: listedContent() });
  return { params: { ...params, content_list_entry_id: body.result.id as string } };
};

const withPageRule: MakeRequest = async ({ app, zoneId }) => {
  const { body } = await app.request("POST", `/zones/${zoneId}/pagerules`, { body: pageRule });
  return { params: { pagerule_id: body.result.id as string } };
};

const newAccessRule = () => ({
  mode: "block",
  configuration: { target: "asn", value: `AS${fresh()}` },
});
const withAccessRule =
  (of: "Zone" | "Account" | "User"): MakeRequest =>
  async ({ app, zoneId, accountId }) => {
    const prefix = { Zone: `/zones/${zoneId}`, Account: `/accounts/${accountId}`, User: "/user" }[of];
    const { body } = await app.request("POST", `${prefix}/firewall/access_rules/rules`, {
      body: newAccessRule(),
    });
    return { params: { rule_id: body.result.id as string } };
  };

const newConsent = () => ({ name: `c${fresh()}.example.com`, account: { id: "c".repeat(32) } });
const newZoneLockdown = () => ({
  urls: [`example.com/${fresh()}/*`],
  configurations: [{ target: "ip", value: "192.0.2.1" }],
});
const withZoneLockdown: MakeRequest = async ({ app, zoneId }) => {
  const { body } = await app.request("POST", `/zones/${zoneId}/firewall/lockdowns`, {
    body: newZoneLockdown(),
  });
  return { params: { lockdown_id: body.result.id as string } };
};
const newUserAgentRule = () => ({
  mode: "block",
  configuration: { target: "ua", value: `Bot ${fresh()}` },
});
const withUserAgentRule: MakeRequest = async ({ app, zoneId }) => {
  const { body } = await app.request("POST", `/zones/${zoneId}/firewall/ua_rules`, {
    body: newUserAgentRule(),
  });
  return { params: { ua_rule_id: body.result.id as string } };
};

const newAcl = () => ({ name: `acl ${fresh()}`, ip_range: "192.0.2.0/24" });
const newPeer = () => ({ name: `peer ${fresh()}`, ip: "192.0.2.53" });
const newTsig = () => ({ name: `key-${fresh()}.example.`, algo: "hmac-sha256.", secret: "c2VjcmV0" });
const ofTransfers = async (
  { app, accountId }: World,
  kind: "acls" | "peers" | "tsigs",
  body: object,
): Promise<string> => {
  const path = `/accounts/${accountId}/secondary_dns/${kind}`;
  return (await app.request("POST", path, { body })).body.result.id as string;
};
const withAcl: MakeRequest = async (world) => ({
  params: { acl_id: await ofTransfers(world, "acls", newAcl()) },
});
const withPeer: MakeRequest = async (world) => ({
  params: { peer_id: await ofTransfers(world, "peers", newPeer()) },
});
const withTsig: MakeRequest = async (world) => ({
  params: { tsig_id: await ofTransfers(world, "tsigs", newTsig()) },
});
const outgoingOf = async (world: World) => ({
  name: "example.com",
  peers: [await ofTransfers(world, "peers", newPeer())],
});
const withoutOutgoing: MakeRequest = async (world) => {
  await world.app.request("DELETE", `/zones/${world.zoneId}/secondary_dns/outgoing`);
  return { body: await outgoingOf(world) };
};
const withOutgoing =
  (step?: "enable" | "disable"): MakeRequest =>
  async (world) => {
    const path = `/zones/${world.zoneId}/secondary_dns/outgoing`;
    await world.app.request("POST", path, { body: await outgoingOf(world) });
    if (step !== undefined) await world.app.request("POST", `${path}/${step}`);
    return {};
  };

const incomingOf = async (world: World) => ({ ...(await outgoingOf(world)), auto_refresh_seconds: 86_400 });
const incomingPath = ({ zoneId }: World): string => `/zones/${zoneId}/secondary_dns/incoming`;
const withoutIncoming: MakeRequest = async (world) => {
  await world.app.request("DELETE", incomingPath(world));
  return { body: await incomingOf(world) };
};
const withIncoming: MakeRequest = async (world) => {
  await world.app.request("POST", incomingPath(world), { body: await incomingOf(world) });
  return {};
};

const newFilter = () => ({ expression: `ip.src eq 192.0.2.1 or http.host eq "h${fresh()}.example.com"` });
const newFirewallRule = () => ({ action: "block", filter: newFilter() });
const firstOf = async ({ app }: World, path: string, body: object): Promise<string> => {
  const answer = await app.request("POST", path, { body: [body] });
  return answer.body.result[0].id as string;
};
const filterOf = (world: World): Promise<string> =>
  firstOf(world, `/zones/${world.zoneId}/filters`, newFilter());
const firewallRuleOf = (world: World): Promise<string> =>
  firstOf(world, `/zones/${world.zoneId}/firewall/rules`, newFirewallRule());
const withFilter: MakeRequest = async (world) => ({ params: { filter_id: await filterOf(world) } });
const withFirewallRule: MakeRequest = async (world) => ({ params: { rule_id: await firewallRuleOf(world) } });

/** A package, a group and a rule of the previous WAF. */
const waf = {
  package_id: "c504870194831cd12c3fc0284f294abb",
  group_id: "07d700cf30fda7548be94ff01087d0c4",
  rule_id: "913100",
};
const wafOverride = { urls: ["example.com/shop/*"], rules: { "100015": "disable" } };
const withWafOverride: MakeRequest = async ({ app, zoneId }) => {
  const { body } = await app.request("POST", `/zones/${zoneId}/firewall/waf/overrides`, {
    body: wafOverride,
  });
  return { params: { override_id: body.result.id as string } };
};

/**
 * One row an operation that needs a caller; the request of a write changes something. An operation without its row
 * fails the sweeps.
 */
export const validRequests: Readonly<Record<string, MakeRequest>> = {
  getEdges: nothing,
  listTransferAcls: nothing,
  createTransferAcl: () => ({ body: newAcl() }),
  getTransferAcl: withAcl,
  replaceTransferAcl: async (world) => ({ ...(await withAcl(world)), body: newAcl() }),
  deleteTransferAcl: withAcl,
  listTransferPeers: nothing,
  createTransferPeer: () => ({ body: newPeer() }),
  getTransferPeer: withPeer,
  replaceTransferPeer: async (world) => ({ ...(await withPeer(world)), body: newPeer() }),
  deleteTransferPeer: withPeer,
  listTsigs: nothing,
  createTsig: () => ({ body: newTsig() }),
  getTsig: withTsig,
  replaceTsig: async (world) => ({ ...(await withTsig(world)), body: newTsig() }),
  deleteTsig: withTsig,
  getOutgoingTransfer: withOutgoing(),
  createOutgoingTransfer: withoutOutgoing,
  replaceOutgoingTransfer: async (world) => {
    await withOutgoing()(world);
    return { body: await outgoingOf(world) };
  },
  deleteOutgoingTransfer: withOutgoing(),
  enableOutgoingTransfer: withOutgoing("disable"),
  disableOutgoingTransfer: withOutgoing("enable"),
  getOutgoingTransferStatus: withOutgoing(),
  listNotifiedPeers: withOutgoing(),
  forceNotifyOfZone: withOutgoing("enable"),
  getIncomingTransfer: withIncoming,
  createIncomingTransfer: withoutIncoming,
  replaceIncomingTransfer: async (world) => ({
    ...(await withIncoming(world)),
    body: await incomingOf(world),
  }),
  deleteIncomingTransfer: withIncoming,
  forceAxfrOfZone: withIncoming,
  getUser: nothing,
  editUser: () => ({ body: { first_name: `John ${fresh()}` } }),
  listTokens: nothing,
  createToken: (world) => ({ body: tokenBody(world) }),
  listPermissionGroups: nothing,
  getToken: async (world) => ({ params: { token_id: await newUserToken(world) } }),
  getTokenUsage: async (world) => ({ params: { token_id: await newUserToken(world) } }),
  replaceToken: async (world) => ({
    params: { token_id: await newUserToken(world) },
    body: tokenBody(world),
  }),
  deleteToken: async (world) => ({ params: { token_id: await newUserToken(world) } }),
  rollToken: async (world) => ({ params: { token_id: await newUserToken(world) } }),
  listAccountTokens: nothing,
  createAccountToken: (world) => ({ body: tokenBody(world) }),
  listAccountPermissionGroups: nothing,
  getAccountToken: async (world) => ({ params: { token_id: await newAccountToken(world) } }),
  getAccountTokenUsage: async (world) => ({ params: { token_id: await newAccountToken(world) } }),
  replaceAccountToken: async (world) => ({
    params: { token_id: await newAccountToken(world) },
    body: tokenBody(world),
  }),
  deleteAccountToken: async (world) => ({ params: { token_id: await newAccountToken(world) } }),
  rollAccountToken: async (world) => ({ params: { token_id: await newAccountToken(world) } }),
  listAccounts: nothing,
  listAccountAuditLogs: nothing,
  listUserAuditLogs: nothing,
  getAccount: nothing,
  createAccount: () => ({ body: { name: `Account ${fresh()}` } }),
  replaceAccount: () => ({ body: { name: `Account ${fresh()}` } }),
  editAccount: () => ({ body: { name: `Account ${fresh()}` } }),
  listMembers: nothing,
  addMember: () => ({ body: newMember() }),
  getMember: withMember,
  editMember: async (world) => ({ ...(await withMember(world)), body: { roles: [defaultRoleId] } }),
  createInviteLink: withMember,
  removeMember: withMember,
  listMemberPermissionGroups: nothing,
  getMemberPermissionGroup: () => ({ params: { permission_group_id: "8e23b19e4e0d44c29d239c5688ba8cbb" } }),
  listResourceGroups: nothing,
  getResourceGroup: withResourceGroup,
  createResourceGroup: (world) => ({ body: resourceGroupOf(world) }),
  replaceResourceGroup: async (world) => ({
    ...(await withResourceGroup(world)),
    body: { name: `changed ${fresh()}` },
  }),
  deleteResourceGroup: withResourceGroup,
  listUserGroups: withUserGroup,
  getUserGroup: withUserGroup,
  createUserGroup: (world) => ({ body: userGroupOf(world) }),
  replaceUserGroup: async (world) => ({
    ...(await withUserGroup(world)),
    body: { name: `changed ${fresh()}` },
  }),
  deleteUserGroup: withUserGroup,
  listUserGroupMembers: withUserGroupAndMember(true),
  getUserGroupMember: withUserGroupAndMember(true),
  addUserGroupMembers: withUserGroupAndMember(false),
  replaceUserGroupMembers: withUserGroupAndMember(false),
  removeUserGroupMember: withUserGroupAndMember(true),
  listRoles: nothing,
  getRole: () => ({ params: { role_id: superAdministratorId } }),
  listInvites: nothing,
  getInvite: withInvite("invite_id"),
  editInvite: async (world) => ({
    ...(await withInvite("invite_id")(world)),
    body: { status: "accepted" },
  }),
  listMemberships: nothing,
  getMembership: withInvite("membership_id"),
  replaceMembership: async (world) => ({
    ...(await withInvite("membership_id")(world)),
    body: { status: "rejected" },
  }),
  deleteMembership: withInvite("membership_id"),
  listZones: nothing,
  createZone: ({ accountId }) => ({
    body: { name: `z${fresh()}.example`, account: { id: accountId } },
  }),
  getZone: nothing,
  editZone: () => ({ body: { paused: true } }),
  checkActivation: nothing,
  getActivation: nothing,
  listSubdomainConsents: nothing,
  createSubdomainConsent: () => ({ body: newConsent() }),
  deleteSubdomainConsent: async ({ app, zoneId }) => {
    const { body } = await app.request("POST", `/zones/${zoneId}/subdomain_consents`, { body: newConsent() });
    return { params: { consent_id: body.result.id as string } };
  },
  listAvailablePlans: nothing,
  getAvailablePlan: () => ({ params: { plan_id: "free" } }),
  listAvailableRatePlans: nothing,
  getZoneSubscription: nothing,
  createZoneSubscription: () => ({ body: { rate_plan: { id: "CF_ENT" } } }),
  updateZoneSubscription: () => ({ body: { rate_plan: { id: "CF_ENT" } } }),
  listZoneSettings: nothing,
  editZoneSettings: () => ({ body: { items: [{ id: "ipv6", value: "on" }] } }),
  getZoneSetting: () => ({ params: { setting_id: "ipv6" } }),
  editZoneSetting: () => ({ params: { setting_id: "websockets" }, body: { value: "off" } }),
  getZoneHold: nothing,
  createZoneHold: nothing,
  editZoneHold: () => ({ body: { include_subdomains: true } }),
  deleteZoneHold: nothing,
  purgeCache: () => ({ body: { purge_everything: true } }),
  purgeCacheByDelete: () => ({ body: { purge_everything: true } }),
  listCertificatePacks: nothing,
  orderCertificatePack: () => ({ body: packOrder }),
  createCertificatePack: () => ({ body: { type: "dedicated_custom", hosts: ["example.com"] } }),
  getCertificatePackQuota: nothing,
  getCertificatePack: withPack,
  editCertificatePack: async (world) => ({
    ...(await withPack(world)),
    body: { cloudflare_branding: true },
  }),
  deleteCertificatePack: withPack,
  getCertificateVerification: nothing,
  editCertificateVerification: async (world) => ({
    ...(await withPack(world)),
    body: { validation_method: "http" },
  }),
  getUniversalSettings: nothing,
  editUniversalSettings: async ({ app, zoneId }) => {
    const { body } = await app.request("GET", `/zones/${zoneId}/ssl/universal/settings`);
    return { body: { enabled: !body.result.enabled } };
  },
  getTotalTls: nothing,
  editTotalTls: async ({ app, zoneId }) => {
    const { body } = await app.request("GET", `/zones/${zoneId}/acm/total_tls`);
    return { body: { enabled: !body.result.enabled } };
  },
  listCustomCertificates: nothing,
  createCustomCertificate: async () => ({ body: await newCustomCertificate() }),
  getCustomCertificate: withCustomCertificate,
  editCustomCertificate: async (world) => ({
    ...(await withCustomCertificate(world)),
    body: { bundle_method: "force" },
  }),
  deleteCustomCertificate: withCustomCertificate,
  prioritizeCustomCertificates: async (world) => {
    const { params } = await withCustomCertificate(world);
    return { body: { certificates: [{ id: params?.["custom_certificate_id"], priority: 5 }] } };
  },
  listDnsRecords: nothing,
  createDnsRecord: () => ({
    body: { type: "A", name: `m${fresh()}.example.com`, content: "192.0.2.2" },
  }),
  batchDnsRecords: () => ({
    body: { posts: [{ type: "A", name: "batch.example.com", content: "192.0.2.3" }] },
  }),
  exportDnsRecords: nothing,
  importDnsRecords: () => ({ rawBody: zoneFile, contentType: "multipart/form-data; boundary=part" }),
  scanDnsRecords: nothing,
  triggerRecordScan: nothing,
  listScannedRecords: nothing,
  reviewScannedRecords: () => ({ body: { accepts: [{ type: "A", name: "scanned", content: "192.0.2.9" }] } }),
  getDnsRecord: withRecord,
  replaceDnsRecord: withRecordAndBody,
  editDnsRecord: withRecordAndBody,
  deleteDnsRecord: withRecord,
  replayRequests: () => ({ rawBody: logForm, contentType: "multipart/form-data; boundary=part" }),
  queryGraphql: ({ zoneId }) => ({
    body: { query: `{ viewer { zones(filter: { zoneTag: "${zoneId}" }) { zoneTag } } }` },
  }),
  listGatewayNetworks: nothing,
  listWeb3Hostnames: nothing,
  createWeb3Hostname: () => ({ body: newWeb3Hostname() }),
  getWeb3Hostname: withWeb3Hostname,
  editWeb3Hostname: async (world) => ({ ...(await withWeb3Hostname(world)), body: { description: "new" } }),
  deleteWeb3Hostname: withWeb3Hostname,
  getWeb3ContentList: withContentList,
  replaceWeb3ContentList: async (world) => ({
    ...(await withContentList(world)),
    body: { action: "block", entries: [listedContent()] },
  }),
  listWeb3ContentListEntries: withContentList,
  createWeb3ContentListEntry: async (world) => ({ ...(await withContentList(world)), body: listedContent() }),
  getWeb3ContentListEntry: withListedContent,
  replaceWeb3ContentListEntry: async (world) => ({
    ...(await withListedContent(world)),
    body: listedContent(),
  }),
  deleteWeb3ContentListEntry: withListedContent,
  getZoneRecordUsage: nothing,
  getAccountRecordUsage: nothing,
  getZoneDnsSettings: nothing,
  editZoneDnsSettings: () => ({ body: { ns_ttl: 3_600 } }),
  getAccountDnsSettings: nothing,
  editAccountDnsSettings: () => ({ body: { zone_defaults: { ns_ttl: 3_600 } } }),
  getDnssec: nothing,
  editDnssec: () => ({ body: { status: "active" } }),
  deleteDnssec: async ({ app, zoneId }) => {
    await app.request("PATCH", `/zones/${zoneId}/dnssec`, { body: { status: "disabled" } });
    return {};
  },
  listZoneSigningKeys: nothing,
  listPageRules: nothing,
  createPageRule: () => ({ body: pageRule }),
  listPageRuleSettings: nothing,
  getPageRule: withPageRule,
  replacePageRule: async (world) => ({ ...(await withPageRule(world)), body: pageRule }),
  editPageRule: async (world) => ({ ...(await withPageRule(world)), body: { status: "active" } }),
  deletePageRule: withPageRule,
  listZoneAccessRules: nothing,
  createZoneAccessRule: () => ({ body: newAccessRule() }),
  getZoneAccessRule: withAccessRule("Zone"),
  editZoneAccessRule: async (world) => ({
    ...(await withAccessRule("Zone")(world)),
    body: { mode: "challenge" },
  }),
  deleteZoneAccessRule: withAccessRule("Zone"),
  listZoneLockdowns: nothing,
  createZoneLockdown: () => ({ body: newZoneLockdown() }),
  getZoneLockdown: withZoneLockdown,
  replaceZoneLockdown: async (world) => ({ ...(await withZoneLockdown(world)), body: newZoneLockdown() }),
  deleteZoneLockdown: withZoneLockdown,
  listUserAgentRules: nothing,
  createUserAgentRule: () => ({ body: newUserAgentRule() }),
  getUserAgentRule: withUserAgentRule,
  replaceUserAgentRule: async (world) => ({ ...(await withUserAgentRule(world)), body: newUserAgentRule() }),
  deleteUserAgentRule: withUserAgentRule,
  getUrlNormalization: nothing,
  replaceUrlNormalization: () => ({ body: { type: "cloudflare", scope: "both" } }),
  deleteUrlNormalization: async ({ app, zoneId }) => {
    const body = { type: "cloudflare", scope: "none" };
    await app.request("PUT", `/zones/${zoneId}/url_normalization`, { body });
    return {};
  },
  listManagedTransforms: nothing,
  editManagedTransforms: () => ({
    body: { managed_response_headers: [{ id: "add_security_headers", enabled: fresh() % 2 === 1 }] },
  }),
  deleteManagedTransforms: async ({ app, zoneId }) => {
    const body = { managed_request_headers: [{ id: "add_visitor_location_headers", enabled: true }] };
    await app.request("PATCH", `/zones/${zoneId}/managed_headers`, { body });
    return {};
  },
  listAccountAccessRules: nothing,
  createAccountAccessRule: () => ({ body: newAccessRule() }),
  getAccountAccessRule: withAccessRule("Account"),
  editAccountAccessRule: async (world) => ({
    ...(await withAccessRule("Account")(world)),
    body: { mode: "challenge" },
  }),
  deleteAccountAccessRule: withAccessRule("Account"),
  listUserAccessRules: nothing,
  createUserAccessRule: () => ({ body: newAccessRule() }),
  getUserAccessRule: withAccessRule("User"),
  editUserAccessRule: async (world) => ({
    ...(await withAccessRule("User")(world)),
    body: { mode: "challenge" },
  }),
  deleteUserAccessRule: withAccessRule("User"),
  listLists: nothing,
  createList: () => ({ body: newList() }),
  getList: withList,
  replaceList: async (world) => ({ ...(await withList(world)), body: { description: "Changed" } }),
  deleteList: withList,
  listListItems: withList,
  createListItems: async (world) => ({ ...(await withList(world)), body: [newListItem()] }),
  replaceListItems: async (world) => ({ ...(await withList(world)), body: [newListItem()] }),
  deleteListItems: async (world) => {
    const { list_id, item_id } = await listOf(world);
    return { params: { list_id }, body: { items: [{ id: item_id }] } };
  },
  getListItem: async (world) => ({ params: await listOf(world) }),
  getListOperation: async (world) => ({ params: await listOf(world) }),
  listFilters: nothing,
  createFilters: () => ({ body: [newFilter()] }),
  replaceFilters: async (world) => ({ body: [{ id: await filterOf(world), ...newFilter() }] }),
  deleteFilters: async (world) => ({ query: `id=${await filterOf(world)}` }),
  getFilter: withFilter,
  replaceFilter: async (world) => ({ ...(await withFilter(world)), body: newFilter() }),
  deleteFilter: withFilter,
  listFirewallRules: nothing,
  createFirewallRules: () => ({ body: [newFirewallRule()] }),
  replaceFirewallRules: async (world) => ({
    body: [{ id: await firewallRuleOf(world), ...newFirewallRule() }],
  }),
  editFirewallRules: async (world) => ({ body: [{ id: await firewallRuleOf(world), paused: true }] }),
  deleteFirewallRules: async (world) => ({ query: `id=${await firewallRuleOf(world)}` }),
  getFirewallRule: withFirewallRule,
  replaceFirewallRule: async (world) => ({ ...(await withFirewallRule(world)), body: newFirewallRule() }),
  editFirewallRule: async (world) => ({ ...(await withFirewallRule(world)), body: { paused: true } }),
  deleteFirewallRule: withFirewallRule,
  ...rulesetRequests("zone"),
  ...rulesetRequests("account"),
  traceRequest: () => ({ body: { url: "https://example.com/", method: "GET" } }),
  validateExpression: () => ({ body: { expression: "ssl" } }),
  validateExpressionOfAnyZone: () => ({ body: { expression: "ssl" } }),
  validateExpressionInQuery: () => ({ query: "expression=ssl" }),
  listRulesByTag: () => ({
    params: {
      ruleset_id: "efb7b8c949ac4650a09736fc376e9aee",
      ruleset_version: "1",
      rule_tag: "wordpress",
    },
  }),
  // Before there are overrides, which stand in its way.
  proposeConfiguration: () => ({ query: "phase_two=1" }),
  listWafPackages: nothing,
  getWafPackage: () => ({ params: waf }),
  editWafPackage: () => ({ params: waf, body: { sensitivity: fresh() % 2 === 0 ? "low" : "medium" } }),
  listWafGroups: () => ({ params: waf }),
  getWafGroup: () => ({ params: waf }),
  editWafGroup: () => ({ params: waf, body: { mode: fresh() % 2 === 0 ? "off" : "on" } }),
  listWafRules: () => ({ params: waf }),
  getWafRule: () => ({ params: waf }),
  editWafRule: () => ({ params: waf, body: { mode: fresh() % 2 === 0 ? "off" : "on" } }),
  listWafOverrides: nothing,
  createWafOverride: () => ({ body: wafOverride }),
  getWafOverride: withWafOverride,
  replaceWafOverride: async (world) => ({
    ...(await withWafOverride(world)),
    body: { ...wafOverride, priority: fresh() },
  }),
  deleteWafOverride: withWafOverride,
  checkMigration: nothing,
  getMigrationStatus: nothing,
  reportMigration: nothing,
  // Last: nothing is left then, and then not even the account.
  deleteZone: nothing,
  deleteAccount: async ({ app, accountId }) => {
    const { body } = await app.request("GET", `/zones?account.id=${accountId}&per_page=1000`);
    for (const { id } of body.result) await app.request("DELETE", `/zones/${id}`);
    return {};
  },
};

export async function send(
  world: World,
  route: RouteDescription,
  headers: Record<string, string>,
  { params, body, rawBody, contentType, query }: ValidRequest,
): Promise<TestAnswer> {
  const values: Record<string, string> = {
    zone_id: world.zoneId,
    account_id: world.accountId,
    ...params,
  };
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "0".repeat(32));
  return world.app.request(route.method, query === undefined ? path : `${path}?${query}`, {
    headers: { ...headers, ...(contentType && { "content-type": contentType }) },
    ...(body !== undefined && { body }),
    ...(rawBody !== undefined && { rawBody }),
  });
}
