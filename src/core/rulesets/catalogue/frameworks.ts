import type { CatalogueRule } from "./catalogue-rule.ts";

/** Rules for vulnerabilities of frameworks, libraries and application servers. */
export const frameworkRules: readonly CatalogueRule[] = [
  {
    id: "23ee7cebe6e8443e99ecf932ab579455",
    continues: "100000356",
    description: "Apache Struts - Open Redirect - CVE:CVE-2013-2248",
    categories: ["apache-struts", "open-redirect"],
    expression: 'url_decode(http.request.uri.query) matches "(^|&)redirect(Action)?:(https?:)?//"',
  },
  {
    id: "f6dc1e8863ee56de8641cf51f83766ee",
    continues: "100044",
    description: "Apache Struts - Code injection by prefixes - CVE:CVE-2013-2251",
    categories: ["apache-struts", "rce"],
    expression:
      'url_decode(http.request.uri.query) matches "(^|&)(action|redirect|redirectAction):[^&]*[$%]\\{"',
  },
  {
    id: "50555f5c196aad0bdc7916062fc8f124",
    continues: "100044A",
    description: "Apache Struts - Code injection by content type - CVE:CVE-2017-5638",
    categories: ["apache-struts", "rce"],
    expression: 'any(http.request.headers["content-type"][*] matches "[%$]\\{[^}]*(#|ognl|multipart)")',
  },
  {
    id: "b973ef469d1d664871b572483edf1c43",
    continues: "100044B",
    description: "Apache Struts - Code injection by namespace - CVE:CVE-2018-11776",
    categories: ["apache-struts", "rce"],
    expression: 'url_decode(http.request.uri.path) matches "/[%$]\\{[^}]+\\}/"',
  },
  {
    id: "2cb7adc2aa66c551bce897a6f2c1ded3",
    continues: "100044C",
    description: "Apache Struts - Double evaluation - CVE:CVE-2020-17530",
    categories: ["apache-struts", "rce"],
    expression:
      'url_decode(http.request.uri.query) contains "%{" and url_decode(http.request.uri.query) matches "#(application|context|_memberAccess|attr)"',
  },
  {
    id: "75af7d811aa6a47fac2e8708422c1283",
    continues: "100044D",
    description: "Apache Struts - Path of an upload - CVE:CVE-2023-50164",
    categories: ["apache-struts", "file-upload"],
    expression: 'http.request.body.raw matches "name=\\"[A-Za-z]*FileName\\"\\s+\\.\\./"',
  },
  {
    id: "0f43d73490c540fa6b0649e4820e132d",
    continues: "100514",
    description: "Log4j - Look-up in a header - CVE:CVE-2021-44228",
    categories: ["log4j", "rce", "broad"],
    expression:
      'any(lower(http.request.headers.values[*])[*] matches "\\$\\{[^}]{0,40}(jndi|\\$\\{(lower|upper|env|sys|date|::-))")',
  },
  {
    id: "881345b4b4b3135c41c978c174a9352a",
    continues: "100515",
    description: "Log4j - Look-up in the address - CVE:CVE-2021-44228",
    categories: ["log4j", "rce", "broad"],
    expression:
      'lower(url_decode(http.request.uri, "r")) matches "\\$\\{[^}]{0,40}(jndi|\\$\\{(lower|upper|env|sys|date|::-))"',
  },
  {
    id: "f8ab11bc5bb118fb29d61bf6b7dd2d30",
    continues: "100516",
    description: "Log4j - Look-up in the body - CVE:CVE-2021-44228",
    categories: ["log4j", "rce", "broad"],
    expression:
      'http.request.body.size gt 0 and lower(http.request.body.raw) contains "${" and lower(http.request.body.raw) contains "jndi:"',
  },
  {
    id: "265d83d9668a6625dc173c21c4d34689",
    continues: "100520",
    description: "Spring - Class loader by parameters - CVE:CVE-2022-22965",
    categories: ["spring", "rce"],
    expression:
      'any(lower(http.request.uri.args.names[*])[*] contains "class.module.classloader") or lower(http.request.body.raw) contains "class.module.classloader"',
  },
  {
    id: "1c0c2b4a4c890ea924890a827db03af7",
    continues: "100521",
    description: "Spring Cloud Function - Routing expression - CVE:CVE-2022-22963",
    categories: ["spring", "rce"],
    expression: 'len(http.request.headers["spring.cloud.function.routing-expression"][0]) gt 0',
  },
  {
    id: "e7c52a4603afcb05021611143ff63f85",
    continues: "100522",
    description: "Spring Cloud Gateway - Actuator routes - CVE:CVE-2022-22947",
    categories: ["spring", "rce"],
    expression:
      'http.request.uri.path contains "/actuator/gateway/routes/" and http.request.method eq "POST"',
  },
  {
    id: "5753e2112eb99be90cad910997e5f84a",
    continues: "100523",
    description: "Spring Boot - Memory by the actuator",
    categories: ["spring", "information-disclosure"],
    enabled: false,
    expression:
      'http.request.uri.path contains "/actuator/heapdump" or http.request.uri.path contains "/actuator/env"',
  },
  {
    id: "5d1e516e22fcb4e0bc206a4b3b660723",
    continues: "100535",
    description: "Apache HTTP Server - Path traversal - CVE:CVE-2021-41773 CVE:CVE-2021-42013",
    categories: ["apache-http-server", "directory-traversal", "rce"],
    expression:
      'lower(raw.http.request.uri.path) matches "^/(cgi-bin|icons)/.*(\\.%2e|%2e\\.|%2e%2e|%%32%65)/"',
  },
  {
    id: "d88312e01e2bc4125b9638feff476a97",
    continues: "100543",
    description: "Telerik UI - Upload - CVE:CVE-2019-18935",
    categories: ["telerik", "rce"],
    expression:
      'lower(http.request.uri.path) contains "telerik.web.ui.webresource.axd" and lower(http.request.uri.query) contains "type=rau" and http.request.method eq "POST"',
  },
  {
    id: "66641045be5a72f1c13c210b47adef70",
    continues: "100545",
    description: "PHPUnit - Evaluation of the input - CVE:CVE-2017-9841",
    categories: ["php", "rce"],
    expression:
      'lower(http.request.uri.path) contains "/phpunit/" and ends_with(lower(http.request.uri.path), "/eval-stdin.php")',
  },
  {
    id: "28966b9352699039ab3a97c1619f1322",
    continues: "100546",
    description: "ThinkPHP - Invocation of functions - CVE:CVE-2018-20062",
    categories: ["php", "rce"],
    expression:
      'lower(url_decode(http.request.uri.query)) contains "invokefunction" or lower(http.request.uri.query) contains "think\\\\app"',
  },
  {
    id: "79e03c95d86ee8d8f0630198abb841fc",
    continues: "100547",
    description: "Laravel - Ignition - CVE:CVE-2021-3129",
    categories: ["php", "rce"],
    expression: 'http.request.uri.path contains "/_ignition/execute-solution"',
  },
  {
    id: "9fb861a3562571c05e9d28edb024e8f3",
    continues: "100548",
    description: "Laravel - Environment file",
    categories: ["php", "information-disclosure", "broad"],
    expression: 'http.request.uri.path matches "/\\.env(\\.[a-z]+)?$"',
  },
  {
    id: "6d449023d370193fbd96b3d7f2fa10dc",
    continues: "100550",
    description: "Ruby on Rails - File disclosure by Accept - CVE:CVE-2019-5418",
    categories: ["rails", "file-inclusion"],
    expression: 'any(http.request.headers["accept"][*] contains "../../")',
  },
  {
    id: "4640d14ec14e092e00d72dec69121603",
    continues: "100551",
    description: "Next.js - Middleware bypass - CVE:CVE-2025-29927",
    categories: ["nextjs"],
    expression: 'any(http.request.headers["x-middleware-subrequest"][*] contains "middleware")',
  },
  {
    id: "2eac2db14d6eb0060d9cad9334a8f5ff",
    continues: "100552",
    description: "React Server Components - Deserialization - CVE:CVE-2025-55182",
    categories: ["nextjs", "rce"],
    since: 2,
    expression:
      'http.request.method eq "POST" and len(http.request.headers["next-action"][0]) gt 0 and http.request.body.raw contains "constructor" and http.request.body.raw contains "__proto__"',
  },
  {
    id: "4c9abbf45424618c86af4e3306f02174",
    continues: "100555",
    description: "Oracle WebLogic - Deserialization - CVE:CVE-2017-10271 CVE:CVE-2019-2725",
    categories: ["weblogic", "rce"],
    expression:
      '(http.request.uri.path contains "/wls-wsat/" or http.request.uri.path contains "/_async/AsyncResponseService") and http.request.body.raw contains "java"',
  },
  {
    id: "93e0d9c37421c4bad4f6606997a387fa",
    continues: "100556",
    description: "Oracle WebLogic - Console - CVE:CVE-2020-14882",
    categories: ["weblogic", "rce"],
    expression:
      'lower(raw.http.request.uri.path) contains "/console/" and lower(raw.http.request.uri.path) contains "%252e%252e"',
  },
  {
    id: "22e357db2d7545d4b2a65f70f0b53c36",
    continues: "100557",
    description: "Apache Tomcat - Upload by PUT - CVE:CVE-2017-12615",
    categories: ["tomcat", "rce"],
    expression:
      'http.request.method eq "PUT" and lower(raw.http.request.uri.path) matches "\\.jspx?(/|%20|::\\$data|%2f)$"',
  },
  {
    id: "5215629d658460b4d80137e491954426",
    continues: "100558",
    description: "JBoss - Deserialization by the invoker - CVE:CVE-2017-12149",
    categories: ["jboss", "rce"],
    expression:
      'http.request.uri.path contains "/invoker/readonly" or http.request.uri.path contains "/invoker/JMXInvokerServlet"',
  },
  {
    id: "9906d9dea7e6397745118d64845c09ef",
    continues: "100559",
    description: "Apache Solr - Velocity templates - CVE:CVE-2019-17558",
    categories: ["solr", "rce"],
    expression:
      'http.request.uri.path contains "/solr/" and url_decode(http.request.uri.query) contains "v.template.custom="',
  },
  {
    id: "10f2b6935a8095f1d47177e84085bc6d",
    continues: "100575",
    description: "Elasticsearch - Script in a search - CVE:CVE-2015-1427",
    categories: ["elasticsearch", "rce"],
    expression:
      'http.request.uri.path contains "_search" and http.request.body.raw contains "java.lang.Runtime"',
  },
];
