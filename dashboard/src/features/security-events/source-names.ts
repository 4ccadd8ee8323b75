/** The sources of events that there are here, as people know them. */
export const sourceNames: Readonly<Record<string, string>> = {
  firewallManaged: "Managed rules",
  dlp: "Managed rules of answers",
  waf: "Previous managed rules",
  firewallCustom: "Custom rules",
  firewallrules: "Firewall rules",
};
