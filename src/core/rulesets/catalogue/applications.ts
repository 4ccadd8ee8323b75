import type { CatalogueRule } from "./catalogue-rule.ts";

/** Rules for content management systems and shops. */
export const applicationRules: readonly CatalogueRule[] = [
  {
    id: "ab18ef1c109e2316751cdd883ebd747e",
    continues: "WP0001",
    description: "WordPress - User enumeration by author archive",
    categories: ["wordpress", "information-disclosure"],
    enabled: false,
    expression: 'http.request.uri.path eq "/" and http.request.uri.query matches "(^|&)author=[0-9]+(&|$)"',
  },
  {
    id: "2e0d72b942cc7f741fec25a4659e45e1",
    continues: "WP0002",
    description: "WordPress - User enumeration by the REST API",
    categories: ["wordpress", "information-disclosure"],
    enabled: false,
    expression:
      'http.request.uri.path contains "/wp-json/wp/v2/users" or http.request.uri.query contains "rest_route=/wp/v2/users"',
  },
  {
    id: "6249f6e83dd5c6b27051239574218009",
    continues: "WP0003",
    description: "WordPress - Many calls in one XML-RPC request",
    categories: ["wordpress", "dos"],
    expression:
      'ends_with(http.request.uri.path, "/xmlrpc.php") and http.request.method eq "POST" and http.request.body.raw contains "system.multicall"',
  },
  {
    id: "9452bd87b7d74642be50f09ebba5c9e2",
    continues: "WP0004",
    description: "WordPress - XML-RPC pingback to another host",
    categories: ["wordpress", "ssrf"],
    expression:
      'ends_with(http.request.uri.path, "/xmlrpc.php") and http.request.body.raw contains "pingback.ping"',
  },
  {
    id: "f55bae8149db9d6ac1ae75df1e42e4c2",
    continues: "WP0005",
    description: "WordPress - Configuration file or a copy of it",
    categories: ["wordpress", "information-disclosure"],
    expression:
      'http.request.uri.path contains "/wp-config" and not ends_with(http.request.uri.path, "/wp-config.php")',
  },
  {
    id: "f948307a66087c252fbe469ef0c4005c",
    continues: "WP0006",
    description: "WordPress - PHP file among the uploads",
    categories: ["wordpress", "php", "rce"],
    expression:
      'lower(http.request.uri.path) contains "/wp-content/uploads/" and ends_with(lower(http.request.uri.path), ".php")',
  },
  {
    id: "cbc539e3bc62a77f8a2324db63042184",
    continues: "WP0007",
    description: "WordPress - Content injection by the REST API - CVE:CVE-2017-1001000",
    categories: ["wordpress"],
    expression:
      'http.request.uri.path contains "/wp-json/wp/v2/posts/" and http.request.method in {"POST" "PUT"} and http.request.uri.query matches "(^|&)id=[0-9]+[^0-9&]"',
  },
  {
    id: "1e6ba44389965608445eef098c0ae41f",
    continues: "WP0008",
    description: "WordPress - Denial of service by load-scripts.php - CVE:CVE-2018-6389",
    categories: ["wordpress", "dos"],
    expression:
      'ends_with(http.request.uri.path, "/wp-admin/load-scripts.php") and len(http.request.uri.query) gt 1500',
  },
  {
    id: "d451601f80c22cad60aec97f5f187932",
    continues: "WP0009",
    description: "WordPress - File Manager plugin, upload without authentication - CVE:CVE-2020-25213",
    categories: ["wordpress", "file-upload", "rce"],
    expression: 'http.request.uri.path contains "/wp-file-manager/lib/php/connector.minimal.php"',
  },
  {
    id: "77cdf1015f3bcc60d950af0f6ad1d852",
    continues: "WP0010",
    description: "WordPress - Slider Revolution, local file inclusion - CVE:CVE-2014-9735",
    categories: ["wordpress", "file-inclusion"],
    expression:
      'ends_with(http.request.uri.path, "/wp-admin/admin-ajax.php") and http.request.uri.query contains "revslider_show_image" and url_decode(http.request.uri.query) contains "../"',
  },
  {
    id: "ddf6bdf1982ef97e3db813591e09a428",
    continues: "WP0011",
    description: "WordPress - TimThumb, remote code execution - CVE:CVE-2011-4106",
    categories: ["wordpress", "rce"],
    expression:
      'lower(http.request.uri.path) matches "/(tim)?thumb\\.php$" and http.request.uri.query matches "src=https?(:|%3A)"',
  },
  {
    id: "9f4932e44672090dd7cac1f92aaddff8",
    continues: "WP0012",
    description: "WordPress - Contact Form 7, unrestricted upload - CVE:CVE-2020-35489",
    categories: ["wordpress", "file-upload"],
    expression:
      'http.request.uri.path contains "/contact-form-7/" and http.request.body.raw matches "filename=\\"[^\\"]*\\.ph(p[3-8]?|ar|tml)[^\\"]"',
  },
  {
    id: "ec04c4a1a3f698e0b69a233e5c117267",
    continues: "WP0013",
    description: "WordPress - WooCommerce Payments, becoming another user - CVE:CVE-2023-28121",
    categories: ["wordpress"],
    expression: 'len(http.request.headers["x-wcpay-platform-checkout-user"][0]) gt 0',
  },
  {
    id: "d224a6d9c71a2573f857fcd80419d5f1",
    continues: "WP0014",
    description: "WordPress - Duplicator, file download - CVE:CVE-2020-11738",
    categories: ["wordpress", "file-inclusion"],
    expression:
      'http.request.uri.query contains "action=duplicator_download" and url_decode(http.request.uri.query) contains "../"',
  },
  {
    id: "8915ef46ba0c1d7d55cc4bd7dfc753c5",
    continues: "WP0015",
    description: "WordPress - Backup Migration, remote code execution - CVE:CVE-2023-6553",
    categories: ["wordpress", "rce"],
    expression: 'http.request.uri.path contains "/backup-backup/includes/backup-heart.php"',
  },
  {
    id: "fd6742a435b3d0da09bb20974d31af67",
    continues: "WP0025B",
    description: "WordPress - Failed sign-in attempts by automated clients",
    categories: ["wordpress", "broad"],
    action: "managed_challenge",
    expression:
      'ends_with(http.request.uri.path, "/wp-login.php") and http.request.method eq "POST" and http.user_agent eq ""',
  },
  {
    id: "252addeac2e80c4f5f7e9273d35a443d",
    continues: "D0001",
    description: "Drupal - SQL injection by array names - CVE:CVE-2014-3704",
    categories: ["drupal", "sqli"],
    expression:
      'http.request.method eq "POST" and url_decode(http.request.body.raw) matches "name\\[[0-9]*[ ;][^\\]]*\\]"',
  },
  {
    id: "1758a487f8793d31fe5edcdd9bb4a0e5",
    continues: "D0002",
    description: "Drupal - Remote code execution by form properties - CVE:CVE-2018-7600",
    categories: ["drupal", "rce"],
    expression:
      'url_decode(http.request.uri.query) matches "\\[#(post_render|pre_render|markup|access_callback|lazy_builder)\\]" or url_decode(http.request.body.raw) matches "\\[#(post_render|pre_render|markup|access_callback|lazy_builder)\\]"',
  },
  {
    id: "6fbea87e958ff699b072f8608b1bc2d8",
    continues: "D0003",
    description: "Drupal - Remote code execution by a destination - CVE:CVE-2018-7602",
    categories: ["drupal", "rce"],
    expression: 'url_decode(http.request.uri.query, "r") matches "destination=[^&]*\\[(%23|#)"',
  },
  {
    id: "aaed09bc7a3339eb55507a792395f790",
    continues: "D0004",
    description: "Drupal - Remote code execution by REST fields - CVE:CVE-2019-6340",
    categories: ["drupal", "rce"],
    expression:
      'http.request.uri.query contains "_format=hal_json" and http.request.body.raw contains "GuzzleHttp"',
  },
  {
    id: "ea972fb1451a6b2d99028c19005047e9",
    continues: "D0005",
    description: "Drupal - Installer of a site that exists",
    categories: ["drupal", "information-disclosure"],
    enabled: false,
    expression: 'ends_with(http.request.uri.path, "/core/install.php") and http.request.method eq "POST"',
  },
  {
    id: "ff16014fd18262f41973828a8c1a8562",
    continues: "D0006",
    description: "Drupal - Session by a serialized cookie",
    categories: ["drupal", "php", "rce"],
    expression:
      'http.cookie contains "SESS" and http.cookie matches "SESS[0-9a-f]+=[^;]*O(:|%3A)[0-9]+(:|%3A)"',
  },
  {
    id: "d6ba20448abc70a8c5ecefde99217b19",
    continues: "J0001",
    description: "Joomla - Remote code execution by user agent - CVE:CVE-2015-8562",
    categories: ["joomla", "php", "rce"],
    expression:
      'http.user_agent contains "JDatabaseDriverMysqli" or http.x_forwarded_for contains "JDatabaseDriverMysqli"',
  },
  {
    id: "b949d705e3111dc53a0f1f10c64d0a86",
    continues: "J0002",
    description: "Joomla - SQL injection by com_fields - CVE:CVE-2017-8917",
    categories: ["joomla", "sqli"],
    expression:
      'http.request.uri.query contains "com_fields" and lower(http.request.uri.query) contains "fullordering"',
  },
  {
    id: "5279705ebca823543c9982612d3a39f7",
    continues: "J0003",
    description: "Joomla - Configuration by the web service - CVE:CVE-2023-23752",
    categories: ["joomla", "information-disclosure"],
    expression:
      'http.request.uri.path contains "/api/index.php/v1/config/application" and http.request.uri.query contains "public=true"',
  },
  {
    id: "20eb6e80000d194a002768cf1b9f26cb",
    continues: "J0004",
    description: "Joomla - Account creation with raised rights - CVE:CVE-2016-8869",
    categories: ["joomla"],
    expression:
      'http.request.uri.query contains "task=user.register" and http.request.body.raw contains "user[groups]"',
  },
  {
    id: "5a658d5cb2dd7ee1dda3149ac289fa82",
    continues: "M0001",
    description: "Magento - SQL injection by the admin panel - CVE:CVE-2015-1397",
    categories: ["magento", "sqli"],
    expression:
      'lower(http.request.uri.path) contains "/cms_wysiwyg/directive" and http.request.body.raw contains "___directive"',
  },
  {
    id: "bf1bacd465516e137c49d45ce30b2b5f",
    continues: "M0002",
    description: "Magento - Template injection at checkout - CVE:CVE-2022-24086",
    categories: ["magento", "rce"],
    expression:
      'http.request.method eq "POST" and http.request.body.raw contains "{{var " and http.request.body.raw matches "getTemplateFilter|addAfterFilterCallback"',
  },
  {
    id: "eb0792e990ee40be67afbeeecca57bd1",
    continues: "M0003",
    description: "Magento - External entity by guest carts - CVE:CVE-2024-34102",
    categories: ["magento", "xxe"],
    expression:
      'http.request.uri.path contains "/rest/" and http.request.uri.path contains "/guest-carts/" and http.request.body.raw contains "sourceData"',
  },
  {
    id: "4b63de5888287e0b281127c78870fba0",
    continues: "M0004",
    description: "Magento - Session reaper, nested deserialization - CVE:CVE-2025-54236",
    categories: ["magento", "rce"],
    expression: 'http.request.uri.path contains "/customer/address_file/upload"',
  },
  {
    id: "d9e350f1b72d4730899c8a420e48a85d",
    continues: "OC001",
    description: "October CMS - Local file inclusion by combined assets",
    categories: ["file-inclusion", "october-cms"],
    expression:
      'http.request.uri.path contains "/combine/" and url_decode(http.request.uri.path) contains "../"',
  },
  {
    id: "00385d41845930419dbc4a04079229c4",
    continues: "VB001",
    description: "vBulletin - Remote code execution by widget code - CVE:CVE-2019-16759",
    categories: ["vbulletin", "php", "rce"],
    expression:
      'http.request.body.raw contains "widgetConfig[code]" or http.request.uri.query contains "widgetConfig[code]" or http.request.body.raw contains "widget_tabbedcontainer_tab_panel"',
  },
  {
    id: "721ea604d4873c2ae9c31cb78a78d4ef",
    continues: "PS001",
    description: "PrestaShop - Template injection by a translation - CVE:CVE-2022-31181",
    categories: ["prestashop", "sqli", "rce"],
    expression:
      'url_decode(http.request.uri.query) contains "{php}" or http.request.body.raw contains "{php}"',
  },
];
