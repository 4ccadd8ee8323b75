import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";

import { newDirectory } from "./harness.ts";

/** The place of release 3.3 in Debian's package `modsecurity-crs`. */
export const debianRules = "/usr/share/modsecurity-crs";

/** The reason why tests with Debian's rules are left out; false where the package is installed. */
export const withoutDebianRules: string | false =
  !existsSync(join(debianRules, "rules")) && "Debian's package modsecurity-crs is not installed";

const setUp = `
SecAction "id:900990,phase:1,pass,nolog,setvar:tx.crs_setup_version=430"
`;

/** A release in few rules: levels are skipped to, and every rule adds to the score of its level. */
export const rulesOfRelease = (version: string): string => `
SecComponentSignature "OWASP_CRS/${version}"
SecRule &TX:detection_paranoia_level "@eq 0" "id:901120,phase:1,pass,nolog,setvar:'tx.detection_paranoia_level=1'"
SecAction "id:901140,phase:1,pass,nolog,setvar:'tx.critical_anomaly_score=5',setvar:'tx.warning_anomaly_score=3'"
SecRule REQUEST_METHOD "!@within GET HEAD POST OPTIONS" \\
    "id:911100,phase:1,block,msg:'Method is not allowed by policy',tag:'attack-generic',tag:'paranoia-level/1',\\
    severity:'CRITICAL',setvar:'tx.inbound_anomaly_score_pl1=+%{tx.critical_anomaly_score}'"
SecRule ARGS|REQUEST_COOKIES "@detectSQLi" \\
    "id:942100,phase:2,block,capture,t:none,t:urlDecodeUni,msg:'SQL Injection Attack Detected via libinjection',\\
    tag:'attack-sqli',tag:'language-multi',tag:'paranoia-level/1',tag:'OWASP_CRS',tag:'capec/1000/152/248/66',\\
    severity:'CRITICAL',setvar:'tx.inbound_anomaly_score_pl1=+%{tx.critical_anomaly_score}'"
SecRule ARGS "@contains evil" \\
    "id:942999,phase:2,block,t:none,t:lowercase,msg:'Evil word',tag:'attack-sqli',tag:'paranoia-level/1',\\
    severity:'WARNING',setvar:'tx.inbound_anomaly_score_pl1=+%{tx.warning_anomaly_score}'"
SecRule TX:DETECTION_PARANOIA_LEVEL "@lt 2" "id:942014,phase:2,pass,nolog,skipAfter:END-942"
SecRule ARGS "@contains '" \\
    "id:942998,phase:2,block,t:none,msg:'A quote',tag:'attack-sqli',tag:'paranoia-level/2',\\
    severity:'WARNING',setvar:'tx.inbound_anomaly_score_pl2=+%{tx.warning_anomaly_score}'"
SecMarker "END-942"
SecRule TX:INBOUND_ANOMALY_SCORE_PL1 "@ge 5" "id:949110,phase:2,deny,msg:'Inbound Anomaly Score Exceeded'"
`;

/** Writes a release of few rules to a directory of its own. */
export function writeRelease(t: TestContext, version = "4.3.1"): string {
  const directory = newDirectory(t);
  mkdirSync(join(directory, "rules"));
  writeFileSync(join(directory, "crs-setup.conf"), setUp);
  replaceRules(directory, rulesOfRelease(version));
  return directory;
}

/** Replaces the rules of a release, as an operator does who updates it. */
export function replaceRules(directory: string, text: string): void {
  writeFileSync(join(directory, "rules", "REQUEST-900-ALL.conf"), text);
}
