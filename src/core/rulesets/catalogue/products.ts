import type { CatalogueRule } from "./catalogue-rule.ts";

/** Rules for vulnerabilities of single products, and for requests that no browser sends. */
export const productRules: readonly CatalogueRule[] = [
  {
    id: "07795ffc97ae3fe5412d1043e94643f5",
    continues: "100000",
    description: "Anomaly - Request without a host",
    categories: ["anomaly", "broad"],
    enabled: false,
    expression: 'http.host eq ""',
  },
  {
    id: "5de7edfa648c4d6891dc3e7f84534ffa",
    continues: "100015",
    description: "Anomaly - Unusual port in the host",
    categories: ["anomaly", "broad"],
    action: "log",
    enabled: false,
    expression:
      'http.host contains ":" and not http.host matches ":(80|443|8080|8443|2052|2053|2082|2083|2086|2087|2095|2096|8880)$"',
  },
  {
    id: "305b2c268645a323411ff0d1a37d3e46",
    continues: "100030",
    description: "Anomaly - Method that is not of HTTP",
    categories: ["anomaly"],
    enabled: false,
    expression:
      'not http.request.method in {"GET" "HEAD" "POST" "PUT" "PATCH" "DELETE" "OPTIONS" "CONNECT" "TRACE" "PROPFIND" "PROPPATCH" "MKCOL" "COPY" "MOVE" "LOCK" "UNLOCK" "REPORT" "SEARCH" "PURGE" "LINK" "UNLINK" "CHECKOUT" "MERGE"}',
  },
  {
    id: "e2610007cfaaba10db4838d8ebba4851",
    continues: "100043A",
    description: "Anomaly - Null character in the address",
    categories: ["anomaly", "broad"],
    expression: 'raw.http.request.uri contains "%00"',
  },
  {
    id: "42881b17bb2292074a7d40c265633792",
    continues: "100048",
    description: "Anomaly - Range of bytes that overflows, HTTP.sys - CVE:CVE-2015-1635",
    categories: ["anomaly", "rce"],
    expression: 'any(http.request.headers["range"][*] contains "18446744073709551615")',
  },
  {
    id: "5c40817ca94a6308c5ac19fa420c3e38",
    continues: "100530",
    description: "Confluence - Code injection by the path - CVE:CVE-2022-26134",
    categories: ["atlassian", "rce"],
    expression:
      'url_decode(http.request.uri.path) contains "${" and url_decode(http.request.uri.path) matches "\\$\\{.*(@|#|class|runtime)"',
  },
  {
    id: "3f78be763026e188c970eb2248bc908f",
    continues: "100531",
    description: "Confluence - Code injection by parameters - CVE:CVE-2021-26084",
    categories: ["atlassian", "rce"],
    expression:
      'http.request.uri.path contains "/pages/" and url_decode(http.request.body.raw) contains "\\\\u0027" and http.request.body.raw contains "queryString"',
  },
  {
    id: "3a81665ac50ebe646819c65fcd441842",
    continues: "100532",
    description: "Confluence - New administrator - CVE:CVE-2023-22515",
    categories: ["atlassian"],
    expression:
      'http.request.uri.path contains "/setup/setupadministrator" or http.request.uri.query contains "bootstrapStatusProvider.applicationConfig.setupComplete"',
  },
  {
    id: "540b9c6753b20c81dcc1d1439091834b",
    continues: "100536",
    description: "Citrix ADC - Path traversal - CVE:CVE-2019-19781",
    categories: ["citrix", "directory-traversal", "rce"],
    expression: 'raw.http.request.uri.path contains "/vpns/" and raw.http.request.uri.path contains "/../"',
  },
  {
    id: "7fd5c165fd95886ce974af4a89a729f4",
    continues: "100537",
    description: "F5 BIG-IP - Management without authentication - CVE:CVE-2020-5902",
    categories: ["f5", "rce"],
    expression: 'raw.http.request.uri.path contains "/tmui/" and raw.http.request.uri.path contains "..;"',
  },
  {
    id: "81d0841c79ba1c634e51b80744ab2d6f",
    continues: "100538",
    description: "F5 BIG-IP - Commands by iControl - CVE:CVE-2022-1388",
    categories: ["f5", "rce"],
    expression: 'http.request.uri.path contains "/mgmt/tm/util/bash"',
  },
  {
    id: "7f4b474228b967d35731f6d318097a8b",
    continues: "100540",
    description: "Microsoft Exchange - ProxyLogon - CVE:CVE-2021-26855",
    categories: ["exchange", "ssrf", "rce"],
    expression: 'http.cookie contains "X-BEResource=" or http.cookie contains "X-AnonResource-Backend="',
  },
  {
    id: "1bc69f2adb4e5a93ab5738c7f2b1668c",
    continues: "100541",
    description: "Microsoft Exchange - ProxyShell - CVE:CVE-2021-34473 CVE:CVE-2022-41040",
    categories: ["exchange", "ssrf", "rce"],
    expression:
      'lower(http.request.uri.path) contains "/autodiscover/autodiscover.json" and lower(url_decode(http.request.uri)) matches "@.*(powershell|mapi|ews)"',
  },
  {
    id: "92a5652ed765f266f507b7a9854baa7a",
    continues: "100542",
    description: "Microsoft SharePoint - ToolPane - CVE:CVE-2025-53770",
    categories: ["sharepoint", "rce"],
    expression:
      'lower(http.request.uri.path) contains "/_layouts/15/toolpane.aspx" and lower(http.referer) contains "signout.aspx"',
  },
  {
    id: "147467afbe9fd61db305c11625020268",
    continues: "100549",
    description: "Repository - Files of version control",
    categories: ["information-disclosure", "broad"],
    expression: 'http.request.uri.path matches "/\\.(git|svn|hg)/(config|HEAD|entries|index|wc\\.db|store)"',
  },
  {
    id: "d1e578c5c38ecf1868f956d8104e3540",
    continues: "100560",
    description: "Grafana - Path traversal by plug-ins - CVE:CVE-2021-43798",
    categories: ["grafana", "directory-traversal"],
    expression:
      'raw.http.request.uri.path contains "/public/plugins/" and raw.http.request.uri.path contains "/../"',
  },
  {
    id: "2a7c9c1d016bf10c9622f75cdd2c9908",
    continues: "100561",
    description: "Fortinet - File disclosure - CVE:CVE-2018-13379",
    categories: ["fortinet", "directory-traversal"],
    expression:
      'http.request.uri.path contains "/remote/fgt_lang" and url_decode(http.request.uri.query) contains "../"',
  },
  {
    id: "22514999bdb027d5b09eb0754794586c",
    continues: "100562",
    description: "Fortinet - Management without authentication - CVE:CVE-2022-40684",
    categories: ["fortinet"],
    expression:
      'http.request.uri.path contains "/api/v2/cmdb/" and any(http.request.headers["forwarded"][*] contains "127.0.0.1")',
  },
  {
    id: "3c58f8fc7f8297c4885dd7c44cbc94d5",
    continues: "100563",
    description: "Pulse Secure - File disclosure - CVE:CVE-2019-11510",
    categories: ["pulse-secure", "directory-traversal"],
    expression:
      'raw.http.request.uri.path contains "/dana-na/" and raw.http.request.uri.path contains "/../"',
  },
  {
    id: "5f02b7663c820d80b21b04835d856735",
    continues: "100564",
    description:
      "Ivanti Connect Secure - Bypass and command injection - CVE:CVE-2023-46805 CVE:CVE-2024-21887",
    categories: ["ivanti", "rce"],
    expression: 'raw.http.request.uri.path contains "/api/v1/totp/user-backup-code/../"',
  },
  {
    id: "56acce3c369096e55bad5cbc6d054106",
    continues: "100565",
    description: "VMware vCenter - Upload - CVE:CVE-2021-21972",
    categories: ["vmware", "file-upload", "rce"],
    expression: 'http.request.uri.path contains "/ui/vropspluginui/rest/services/uploadova"',
  },
  {
    id: "57dd22234c337fb905688570b477cf4a",
    continues: "100566",
    description: "VMware Workspace ONE - Template injection - CVE:CVE-2022-22954",
    categories: ["vmware", "rce"],
    expression:
      'http.request.uri.path contains "/catalog-portal/ui/oauth/verify" and url_decode(http.request.uri.query) contains "${"',
  },
  {
    id: "c2ca4d0556826e28467f3b0ac8bf8866",
    continues: "100567",
    description: "MOVEit Transfer - SQL injection - CVE:CVE-2023-34362",
    categories: ["moveit", "sqli"],
    expression:
      'lower(http.request.uri.path) contains "/moveitisapi/moveitisapi.dll" and http.request.uri.query contains "action=m2"',
  },
  {
    id: "0559bad8c31a1f76d201dac5fd9a0dd7",
    continues: "100568",
    description: "TeamCity - Authentication bypass - CVE:CVE-2024-27198",
    categories: ["teamcity"],
    expression:
      'http.request.uri.query contains "jsp=/app/rest/" and ends_with(http.request.uri.query, ";.jsp")',
  },
  {
    id: "83a18deec09b1d5f1f1d9d80c2c24a99",
    continues: "100569",
    description: "ScreenConnect - Set-up again - CVE:CVE-2024-1709",
    categories: ["screenconnect"],
    expression: 'lower(http.request.uri.path) contains "/setupwizard.aspx/"',
  },
  {
    id: "cd6bbee916715df2ae26b3d01677bdc5",
    continues: "100570",
    description: "Palo Alto PAN-OS - Session file - CVE:CVE-2024-3400",
    categories: ["palo-alto", "rce"],
    expression: 'http.cookie contains "SESSID=" and http.cookie matches "SESSID=[^;]*\\.\\./"',
  },
  {
    id: "a646367ebcf4765229cd7c1990f48011",
    continues: "100571",
    description: "Check Point - File disclosure - CVE:CVE-2024-24919",
    categories: ["check-point", "directory-traversal"],
    since: 2,
    expression: 'http.request.uri.path contains "/clients/MyCRL" and http.request.body.raw contains "../"',
  },
  {
    id: "c4e265d29965453bdfdf6e062c637745",
    continues: "100572",
    description: "Hikvision - Command injection - CVE:CVE-2021-36260",
    categories: ["iot", "rce"],
    expression: 'http.request.uri.path contains "/SDK/webLanguage" and http.request.method eq "PUT"',
  },
  {
    id: "20f259e929724162e691da7ef0234375",
    continues: "100573",
    description: "GPON routers - Authentication bypass - CVE:CVE-2018-10561",
    categories: ["iot", "rce"],
    expression: 'http.request.uri.path contains "/GponForm/diag_Form"',
  },
  {
    id: "563a289f49b659afec1ebd4a8c719909",
    continues: "100574",
    description: "Shellshock - CVE:CVE-2014-6271",
    categories: ["rce", "broad"],
    expression: 'any(http.request.headers.values[*] contains "() {")',
  },
  {
    id: "c6674d0ecc79dd28ae7b67fc1dfb357b",
    continues: "100576",
    description: "Server-side request forgery - Metadata of the cloud",
    categories: ["ssrf", "broad"],
    expression:
      'url_decode(http.request.uri.query) contains "169.254.169.254" or lower(url_decode(http.request.uri.query)) contains "metadata.google.internal"',
  },
  {
    id: "39f94edd88c47564ae00d070676e5193",
    continues: "100577",
    description: "XML - External entity",
    categories: ["xxe", "broad"],
    expression:
      'http.request.body.mime in {"application/xml" "text/xml"} and http.request.body.raw contains "<!ENTITY" and http.request.body.raw matches "<!ENTITY[^>]+(SYSTEM|PUBLIC)"',
  },
  {
    id: "68ab4c75553f5ca2cf7960f57ae4b295",
    continues: "100578",
    description: "Scanner - Known security scanners",
    categories: ["scanner", "broad"],
    action: "managed_challenge",
    expression:
      'lower(http.user_agent) matches "sqlmap|nikto|nessus|acunetix|nuclei|masscan|zgrab|wpscan|dirbuster|gobuster"',
  },
  {
    id: "8f77b60cd0438b5c3965a1677c9c313c",
    continues: "100579",
    description: "CRLF injection - Header in the address",
    categories: ["crlf-injection", "broad"],
    expression: 'lower(raw.http.request.uri) matches "%0d%0a[a-z-]{2,40}(:|%3a)"',
  },
];
