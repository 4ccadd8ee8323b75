import type { CatalogueRule } from "./catalogue-rule.ts";

/** Rules for classes of attacks, whatever is attacked. */
export const attackRules: readonly CatalogueRule[] = [
  {
    id: "f6686886c20055fa1dac84cf1ba00927",
    continues: "100008",
    description: "SQL injection - UNION SELECT",
    categories: ["sqli", "broad"],
    expression:
      'lower(url_decode(http.request.uri.query, "r")) matches "union(/\\*.*?\\*/|\\s)+(all(/\\*.*?\\*/|\\s)+)?select"',
  },
  {
    id: "f33779a0307ef4461f637d51771763b8",
    continues: "100008A",
    description: "SQL injection - UNION SELECT in the body",
    categories: ["sqli", "broad"],
    expression:
      'http.request.body.size gt 0 and lower(url_decode(http.request.body.raw, "r")) matches "union(/\\*.*?\\*/|\\s)+(all(/\\*.*?\\*/|\\s)+)?select"',
  },
  {
    id: "2563b3ca33dff9db6331d4db1f1a7978",
    continues: "100008B",
    description: "SQL injection - Always true behind a quote",
    categories: ["sqli", "broad"],
    expression:
      'url_decode(http.request.uri.query) matches "(?i)[\'\\"]\\s*(or|\\|\\|)\\s*[\'\\"]?[0-9a-z]+[\'\\"]?\\s*(=|like)\\s*[\'\\"]?[0-9a-z]"',
  },
  {
    id: "f0d4736945c2cf1624e1d559a0f34e69",
    continues: "100008C",
    description: "SQL injection - Delay of an answer",
    categories: ["sqli"],
    expression:
      'lower(url_decode(http.request.uri.query)) matches "(sleep|benchmark|pg_sleep|dbms_pipe\\.receive_message)\\s*\\(|waitfor\\s+delay"',
  },
  {
    id: "c45e8d2b72cf31291549d14f5d5b3356",
    continues: "100008D",
    description: "SQL injection - Tables of the information schema",
    categories: ["sqli"],
    expression:
      'lower(http.request.uri.query) contains "information_schema" or lower(http.request.uri.query) contains "sqlite_master"',
  },
  {
    id: "288756373a02f3f4b2ca5dc0185e42a0",
    continues: "100008E",
    description: "SQL injection - Reading and writing of files",
    categories: ["sqli", "file-inclusion"],
    expression: 'lower(url_decode(http.request.uri.query)) matches "load_file\\s*\\(|into\\s+(out|dump)file"',
  },
  {
    id: "e22a46cf70b97dd8cddae14f48c964f3",
    continues: "100008F",
    description: "SQL injection - Stacked statement",
    categories: ["sqli"],
    expression:
      'lower(url_decode(http.request.uri.query)) matches "[\'\\");]\\s*;\\s*(drop|alter|truncate|insert|update|delete|exec(ute)?|declare)\\s"',
  },
  {
    id: "aa6dfe61aa4e105927090cb3f5e33906",
    continues: "100008G",
    description: "SQL injection - Commands of the operating system",
    categories: ["sqli", "rce"],
    expression:
      'lower(http.request.uri.query) contains "xp_cmdshell" or lower(http.request.uri.query) contains "sp_oacreate"',
  },
  {
    id: "83d15a9669c26ae9f352ad0941fbbf8f",
    continues: "100008H",
    description: "SQL injection - In a cookie",
    categories: ["sqli"],
    expression:
      'lower(url_decode(http.cookie)) matches "union\\s+(all\\s+)?select|[\'\\"]\\s*or\\s+[0-9]+=[0-9]+"',
  },
  {
    id: "f951a03b09e8d0a8d8ee2734d8b0f641",
    continues: "100008I",
    description: "NoSQL injection - Operators in parameters",
    categories: ["sqli", "broad"],
    expression:
      'any(http.request.uri.args.names[*] matches "\\[\\$(ne|gt|gte|lt|lte|regex|where|in|nin|exists)\\]")',
  },
  {
    id: "1fea10801f84c1f168b1ebad0473c038",
    continues: "100007",
    description: "Cross-site scripting - Script element",
    categories: ["xss", "broad"],
    expression: 'lower(url_decode(http.request.uri.query, "r")) contains "<script"',
  },
  {
    id: "149f0c56921778d7b8db40cfc303f496",
    continues: "100007A",
    description: "Cross-site scripting - Script element in the body",
    categories: ["xss", "broad"],
    action: "log",
    expression:
      'http.request.body.mime eq "application/x-www-form-urlencoded" and lower(url_decode(http.request.body.raw, "r")) contains "<script"',
  },
  {
    id: "7591fed9d1c18a8d74dce50498a555ca",
    continues: "100007B",
    description: "Cross-site scripting - Event handler",
    categories: ["xss", "broad"],
    expression:
      'lower(url_decode(http.request.uri.query, "r")) matches "<[a-z][^>]*[\\s/\\"\']on[a-z]{3,20}\\s*="',
  },
  {
    id: "fbe2e09703569f40ff40f59fe8054c78",
    continues: "100007C",
    description: "Cross-site scripting - Script as an address",
    categories: ["xss"],
    expression:
      'lower(url_decode(http.request.uri.query, "r")) matches "(javascript|vbscript)\\s*:[^&]*[(\\[`]"',
  },
  {
    id: "0700e14c204e4456d0553a2023e40806",
    continues: "100007D",
    description: "Cross-site scripting - Frame, object or vector graphics",
    categories: ["xss"],
    expression:
      'lower(url_decode(http.request.uri.query)) matches "<(iframe|embed|object|svg|math|base|applet)[\\s/>]"',
  },
  {
    id: "c16514c14c007b80295b1f2958186c94",
    continues: "100007E",
    description: "Cross-site scripting - In the path",
    categories: ["xss"],
    expression: 'lower(url_decode(raw.http.request.uri.path)) contains "<script"',
  },
  {
    id: "c9dc79d2a57ea6b32410a30646ae18cd",
    continues: "100007F",
    description: "Cross-site scripting - In the referrer or the user agent",
    categories: ["xss"],
    expression: 'lower(http.referer) contains "<script" or lower(http.user_agent) contains "<script"',
  },
  {
    id: "0eb3b16feadee4ffaee3da9ce233ab7c",
    continues: "100007G",
    description: "Cross-site scripting - Reading of cookies",
    categories: ["xss"],
    expression:
      'lower(url_decode(http.request.uri.query)) contains "document.cookie" or lower(url_decode(http.request.uri.query)) contains "document.domain"',
  },
  {
    id: "749cff3dfc0fea6d0904bfcb4587b8d0",
    continues: "100007H",
    description: "Cross-site scripting - Template of the client",
    categories: ["xss"],
    action: "log",
    expression: 'url_decode(http.request.uri.query) matches "\\{\\{.*constructor.*\\}\\}"',
  },
  {
    id: "90ac5f2f89b26d3f5b59b106114e5434",
    continues: "100010",
    description: "Command injection - Shell command behind a separator",
    categories: ["rce", "broad"],
    expression:
      'lower(url_decode(http.request.uri.query)) matches "[;|&`\\n]\\s*(cat|ls|id|wget|curl|nc|bash|sh|ping|nslookup|whoami|uname|chmod|python[23]?|perl)(\\s|$|;|\\|)"',
  },
  {
    id: "bdfd3677c483aeb8efff5cdfc96a8eb6",
    continues: "100010A",
    description: "Command injection - Substitution of commands",
    categories: ["rce", "broad"],
    expression:
      'url_decode(http.request.uri.query) matches "\\$\\((cat|ls|id|wget|curl|nc|bash|sh|whoami|uname)[ )]"',
  },
  {
    id: "a5d27be9424396fb4f9cccb90514c1c0",
    continues: "100010B",
    description: "Command injection - Windows commands",
    categories: ["rce"],
    expression:
      'lower(url_decode(http.request.uri.query)) matches "(cmd(\\.exe)?\\s*/c|powershell(\\.exe)?\\s+-)"',
  },
  {
    id: "167ad6f60b6e73f3adcdb59e222f7b3b",
    continues: "100010C",
    description: "Command injection - Word splitting by ${IFS}",
    categories: ["rce"],
    expression:
      'url_decode(http.request.uri) contains "${IFS}" or url_decode(http.request.uri) contains "$IFS$9"',
  },
  {
    id: "3b2ba23fd1ad527889b4be4a261a74cf",
    continues: "100011",
    description: "Code injection - Template of the server",
    categories: ["rce"],
    expression:
      'url_decode(http.request.uri.query) matches "(\\{\\{|\\$\\{|<%=|#\\{)\\s*[0-9]{1,9}\\s*\\*\\s*[0-9]{1,9}\\s*(\\}|%>)"',
  },
  {
    id: "9e785324773107994f9a097b86f90cca",
    continues: "100011A",
    description: "Code injection - Python classes in a template",
    categories: ["rce"],
    expression:
      'url_decode(http.request.uri) contains "__class__" and url_decode(http.request.uri) contains "__"',
  },
  {
    id: "c518002b8ca2884e4aff74070b2046da",
    continues: "100011B",
    description: "Code injection - JavaScript prototype",
    categories: ["rce"],
    expression:
      'any(http.request.uri.args.names[*] contains "__proto__") or any(http.request.uri.args.names[*] contains "constructor[prototype]")',
  },
  {
    id: "87d666261790161ff3f3f4cb38989ff3",
    continues: "100012",
    description: "File inclusion - Path out of the site",
    categories: ["file-inclusion", "directory-traversal", "broad"],
    expression: 'url_decode(http.request.uri.query, "r") matches "(^|[=/\\\\])\\.\\.[/\\\\]+\\.\\.[/\\\\]"',
  },
  {
    id: "168830970bbab2e62882fef3951fa1e6",
    continues: "100012A",
    description: "File inclusion - Files of the operating system",
    categories: ["file-inclusion", "broad"],
    expression:
      'lower(url_decode(http.request.uri, "r")) matches "/etc/(passwd|shadow|hosts|group)|/proc/self/(environ|cmdline|fd)|[/\\\\](boot|win)\\.ini"',
  },
  {
    id: "4cdc9d6b377103e5d4da2001d4f1decd",
    continues: "100012B",
    description: "File inclusion - Wrapper of PHP",
    categories: ["file-inclusion", "php"],
    expression:
      'lower(url_decode(http.request.uri.query)) matches "(php://(filter|input)|phar://|expect://|data:[a-z/]*;base64,)"',
  },
  {
    id: "cd48deb716058a509f76b9026cb8a909",
    continues: "100012C",
    description: "File inclusion - Remote file as a parameter",
    categories: ["file-inclusion"],
    expression:
      'lower(url_decode(http.request.uri.query)) matches "(file|page|include|inc|path|template|tpl)=(https?|ftps?)://[^&]*\\.(txt|php|inc)\\?*$"',
  },
  {
    id: "1b5a30a7ed78ed85ab779292d5c35d76",
    continues: "100012D",
    description: "Directory traversal - Encoded dots in the path",
    categories: ["directory-traversal", "broad"],
    expression:
      'lower(raw.http.request.uri.path) matches "(%2e|\\.)(%2e|\\.)(%2f|%5c|/|\\\\)" and lower(raw.http.request.uri.path) contains "%2e"',
  },
  {
    id: "d27cb01bab465b0d9db2778921c0eea8",
    continues: "100012E",
    description: "Directory traversal - Twice encoded",
    categories: ["directory-traversal"],
    expression:
      'lower(raw.http.request.uri) contains "%252e%252e" or lower(raw.http.request.uri) contains "..%255c" or lower(raw.http.request.uri) contains "..%252f"',
  },
  {
    id: "fefe809de68939f149c2f149610ec632",
    continues: "PHP100001",
    description: "PHP - Code in a parameter",
    categories: ["php", "rce"],
    expression:
      'lower(url_decode(http.request.uri.query)) contains "<?php" or lower(url_decode(http.request.uri.query)) contains "<?="',
  },
  {
    id: "d3a3a2af1be77442a0e87ce5d20b40e1",
    continues: "PHP100002",
    description: "PHP - Dangerous function in a parameter",
    categories: ["php", "rce"],
    expression:
      'lower(url_decode(http.request.uri.query)) matches "\\b(eval|assert|system|shell_exec|passthru|proc_open|popen|base64_decode|call_user_func)\\s*\\("',
  },
  {
    id: "2150aa274993b3b7dd78bcfafd8f9750",
    continues: "PHP100003",
    description: "PHP - Serialized object",
    categories: ["php", "rce"],
    expression:
      'url_decode(http.request.uri.query) matches "(^|[=;{])O:[0-9]{1,4}:\\"[A-Za-z_\\\\]+\\":[0-9]+:\\{" or url_decode(http.cookie) matches "[=;{]O:[0-9]{1,4}:\\"[A-Za-z_\\\\]+\\":[0-9]+:\\{"',
  },
  {
    id: "a7a18d47f2dd09a81772459238fce519",
    continues: "PHP100004",
    description: "PHP - Global variables",
    categories: ["php"],
    expression:
      'any(http.request.uri.args.names[*] in {"GLOBALS" "_SERVER" "_SESSION" "_GET" "_POST" "_FILES" "_COOKIE" "_ENV"})',
  },
  {
    id: "859f75f14077edd3cd2de47b93a12742",
    continues: "PHP100005",
    description: "PHP - CGI, options of the interpreter - CVE:CVE-2012-1823",
    categories: ["php", "rce"],
    expression:
      'lower(http.request.uri.query) matches "^(-|%2d)[dns]" and lower(url_decode(http.request.uri.query)) contains "allow_url_include"',
  },
  {
    id: "c438a356c1c6635e978df21665c3bf79",
    continues: "PHP100006",
    description: "PHP - CGI on Windows, soft hyphen - CVE:CVE-2024-4577",
    categories: ["php", "rce"],
    expression:
      'lower(raw.http.request.uri.query) contains "%ad" and lower(raw.http.request.uri.query) matches "^(%ad|%2d|-)[ds]"',
  },
  {
    id: "1be0906c2ff046939c514a912278d8db",
    continues: "PHP100007",
    description: "PHP - FPM behind nginx, line feed in the path - CVE:CVE-2019-11043",
    categories: ["php", "rce"],
    expression:
      'lower(raw.http.request.uri.path) contains ".php/" and lower(raw.http.request.uri.path) contains "%0a"',
  },
  {
    id: "ad07e26009a90c76533df23f2eeb6a41",
    continues: "PHP100008",
    description: "PHP - Upload of a script",
    categories: ["php", "file-upload", "rce"],
    enabled: false,
    expression:
      'http.request.body.raw matches "(?i)filename=\\"[^\\"]{1,200}\\.(php[3-8]?|phtml|phar|pht)\\""',
  },
  {
    id: "6836e8f62cdb266a52bd5021b8116511",
    continues: "PHP100009",
    description: "PHP - Known web shell",
    categories: ["php", "web-shell"],
    expression:
      'lower(http.request.uri.path) matches "/(c99|r57|b374k|wso|alfa|shell|indoxploit|mini|marijuana)(shell)?\\.php$"',
  },
];
