import { setting, toggle, type Setting } from "./setting.ts";
import { text } from "./value-forms.ts";

/** Settings about search engines and agents. */
export const crawlerSettings: Readonly<Record<string, Setting>> = {
  content_converter: toggle("Answers HTML as Markdown to those who ask for it.", "off"),
  pre_render: toggle("Answers crawlers with pages rendered already.", "off"),
  redirects_for_ai_training: toggle("Redirects crawlers that train models to canonical addresses.", "off"),
  search_for_agents: toggle("Offers agents a search of the zone.", "off"),
  webmcp_enabled: toggle("Offers agents in a browser the tools of WebMCP.", "off"),
  webmcp_packs: setting(
    "Comma list of the tool packs of WebMCP; empty stands for the default ones.",
    text(4096),
    "",
  ),
};
