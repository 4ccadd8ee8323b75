/**
 * What requests the rules of the Core Rule Set find, as far as the filter language can say it: by the number of the rule.
 * These are expressions of our own, narrower than the original patterns; rules without one never match.
 */
export const crsExpressions: Readonly<Record<number, string>> = {
  911100: 'not http.request.method in {"GET" "HEAD" "POST" "OPTIONS"}',
  913100: 'lower(http.user_agent) matches "sqlmap|nikto|nessus|acunetix|nuclei|masscan|zgrab|wpscan|openvas"',
  913101: 'lower(http.user_agent) matches "^(curl|wget|python-requests|go-http-client|libwww-perl|okhttp)"',
  913102: 'lower(http.user_agent) matches "\\b(crawler|spider|scrapy)\\b"',
  920170: 'http.request.method in {"GET" "HEAD"} and http.request.body.size gt 0',
  920230: 'raw.http.request.uri.query matches "%25[0-9a-fA-F]{2}"',
  920270: 'raw.http.request.uri contains "%00"',
  920280: 'len(http.request.headers["host"]) eq 0',
  920300: 'http.request.method ne "OPTIONS" and not any(http.request.headers.names[*] eq "accept")',
  920310: 'any(http.request.headers["accept"][*] eq "")',
  920320: 'not any(http.request.headers.names[*] eq "user-agent")',
  920330: 'any(http.request.headers["user-agent"][*] eq "")',
  920340: 'http.request.body.size gt 0 and not any(http.request.headers.names[*] eq "content-type")',
  920350: 'http.host matches "^[0-9]{1,3}(\\.[0-9]{1,3}){3}(:[0-9]+)?$"',
  920440:
    'lower(http.request.uri.path.extension) in {"asa" "asax" "bak" "backup" "bat" "cer" "cfg" "cmd" "conf" "config" "csr" "dat" "dll" "ini" "key" "log" "mdb" "old" "pem" "sql" "swp" "sys"}',
  920500: 'lower(http.request.uri.path) matches "(~|\\.(bak|old|orig|swp))$"',
  921110: 'url_decode(http.request.uri.query) matches "[\\r\\n][A-Z]{3,7}\\s[^ ]+\\sHTTP/[0-9]"',
  921130: 'lower(url_decode(http.request.uri.query)) matches "(http/[0-9]\\.[0-9]|<(html|meta))\\b"',
  921150: 'lower(raw.http.request.uri.query) matches "%0[ad][^&]*="',
  921160: 'lower(raw.http.request.uri.query) matches "%0d%0a[a-z-]+(:|%3a)"',
  930100: 'lower(raw.http.request.uri) matches "(\\.|%2e){2}(/|\\\\|%2f|%5c)"',
  930110: 'url_decode(http.request.uri.query) matches "(^|[=/\\\\;])\\.\\.[/\\\\;]"',
  930120:
    'lower(url_decode(http.request.uri)) matches "etc/(passwd|shadow|group|hosts|ssh)|proc/self/|windows/win\\.ini"',
  930130: 'lower(http.request.uri.path) matches "/\\.(git|svn|env|htaccess|htpasswd|aws|ssh)(/|$)"',
  931100: 'url_decode(http.request.uri.query) matches "=(https?|ftps?)://[0-9]{1,3}(\\.[0-9]{1,3}){3}"',
  931110:
    'lower(url_decode(http.request.uri.query)) matches "(include|mosconfig_absolute_path|path|file)=(https?|ftps?|file)://"',
  931120: 'url_decode(http.request.uri.query) matches "=(https?|ftps?|file)://[^&]*\\?+$"',
  931130: 'url_decode(http.request.uri.query) matches "=(https?|ftps?|file)://"',
  932100:
    'lower(url_decode(http.request.uri.query)) matches "[;|&`\\n]\\s*(cat|ls|id|wget|curl|nc|bash|sh|ping|uname|whoami)\\b"',
  932110:
    'lower(url_decode(http.request.uri.query)) matches "[;|&]\\s*(dir|type|net|cmd|ipconfig|copy|del)\\b"',
  932120: 'lower(url_decode(http.request.uri.query)) matches "powershell|invoke-(expression|webrequest)"',
  932130: 'url_decode(http.request.uri.query) matches "\\$[({]|<\\(|>\\("',
  932150: 'lower(url_decode(http.request.uri.query)) matches "=(cat|wget|curl|nc|bash|uname|whoami)\\s"',
  932160: 'lower(url_decode(http.request.uri.query)) matches "(/bin/|/usr/bin/|etc/passwd|dev/tcp/)"',
  932170: 'any(http.request.headers.values[*] contains "() {")',
  933100: 'lower(url_decode(http.request.uri.query)) matches "<\\?(php|=)"',
  933120: 'lower(http.request.uri.query) matches "allow_url_include|auto_prepend_file|disable_functions"',
  933130:
    'url_decode(http.request.uri.query) matches "\\$(GLOBALS|_(SERVER|GET|POST|COOKIE|SESSION|FILES|ENV))\\b"',
  933140: 'lower(url_decode(http.request.uri.query)) contains "php://"',
  933150: 'lower(url_decode(http.request.uri.query)) matches "base64_decode|shell_exec|proc_open|passthru"',
  933160: 'lower(url_decode(http.request.uri.query)) matches "\\b(eval|system|exec|assert|phpinfo)\\s*\\("',
  933170: 'url_decode(http.request.uri.query) matches "[oOcC]:[0-9]+:\\".+?\\":[0-9]+:\\{"',
  933200: 'lower(url_decode(http.request.uri.query)) matches "(zlib|glob|phar|expect|ssh2|ogg|zip|rar)://"',
  934100:
    'url_decode(http.request.uri.query) matches "_\\$\\$ND_FUNC\\$\\$_|require\\([\'\\"]|process\\.(env|exit)"',
  941110: 'lower(url_decode(http.request.uri.query)) matches "<script[^>]*>"',
  941120: 'lower(url_decode(http.request.uri.query)) matches "[\\s\\"\'`;/0-9=]on[a-z]{3,20}\\s*="',
  941140: 'lower(url_decode(http.request.uri.query)) matches "javascript\\s*:"',
  941160:
    'lower(url_decode(http.request.uri.query)) matches "<(script|iframe|object|embed|svg|img|body|form|style)\\b"',
  941180: 'lower(url_decode(http.request.uri.query)) matches "document\\.(cookie|write)|window\\.location"',
  941320: 'lower(url_decode(http.request.uri.query)) matches "</?[a-z]+[\\s/>]"',
  941370:
    'lower(url_decode(http.request.uri.query)) matches "(self|document|window|top|this)\\s*(\\[|\\.\\s*location)"',
  942130: 'lower(url_decode(http.request.uri.query)) matches "\\b([0-9a-z]+)\\s*=\\s*[0-9a-z]+\\s*(--|#|$)"',
  942140: 'lower(http.request.uri.query) matches "information_schema|pg_catalog|sysobjects|sqlite_master"',
  942150:
    'lower(url_decode(http.request.uri.query)) matches "\\b(concat|substring|ascii|char|hex|version|database)\\s*\\("',
  942160: 'lower(url_decode(http.request.uri.query)) matches "(sleep|benchmark)\\s*\\("',
  942170: 'lower(url_decode(http.request.uri.query)) matches "(select|;)\\s+(benchmark|sleep|if)\\b"',
  942180: 'lower(url_decode(http.request.uri.query)) matches "[\\"\'`]\\s*(or|and|xor|like)\\s"',
  942190:
    'lower(url_decode(http.request.uri.query)) matches "union[\\s/*]+(all[\\s/*]+)?select|xp_cmdshell|exec\\s+master"',
  942260:
    'lower(url_decode(http.request.uri.query)) matches "[\\"\'`]\\s*(or|and)\\s*[\\"\'`]?[0-9a-z]+[\\"\'`]?\\s*="',
  942270: 'lower(url_decode(http.request.uri.query)) matches "union.*select.*from"',
  942330: 'lower(url_decode(http.request.uri.query)) matches "[\\"\'`]\\s*(\\|\\||&&|or|and)\\b"',
  942360:
    'lower(url_decode(http.request.uri.query)) matches "(select|union|insert|update|delete|drop)\\s+[^&]*\\b(from|into|set|table)\\b"',
  942361: 'lower(url_decode(http.request.uri.query)) matches "(alter|union)\\s+[a-z]"',
  942430:
    'url_decode(http.request.uri.query) matches "([~!@#$^*()+={}\\[\\]|:;\\"\'<>`-][^~!@#$^*()+={}\\[\\]|:;\\"\'<>`-]*){12}"',
  942440: 'url_decode(http.request.uri.query) matches "--\\s|--$|/\\*|\\*/|#$"',
  942450: 'lower(url_decode(http.request.uri.query)) matches "\\b0x[0-9a-f]{3,}"',
  943110: 'lower(http.request.uri.query) matches "(jsessionid|phpsessid|sessionid|aspsessionid)="',
  944100: 'lower(url_decode(http.request.uri)) matches "java\\.lang\\.(runtime|processbuilder)"',
  944110:
    'http.request.body.raw contains "ProcessBuilder" or http.request.body.raw contains "java.lang.Runtime"',
  944130: 'url_decode(http.request.uri) matches "(java\\.(io|lang|net|util)|javax\\.|org\\.apache)\\."',
  944210: 'url_decode(http.request.uri) matches "rO0AB|KztAAU|Cs7QAF"',
};
