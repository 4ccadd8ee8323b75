import { choice, setting, toggle, type Setting } from "./setting.ts";
import { emptyOr, hostname, object, onOrOff, text, trueOrFalse } from "./value-forms.ts";

const openProxy = ["on", "off", "open"] as const;

/** Smaller and faster pages and images. */
export const optimizationSettings: Readonly<Record<string, Setting>> = {
  binary_ast: toggle("Sends JavaScript parsed already.", "off"),
  brotli: toggle("Compresses with Brotli where the visitor takes it.", "off"),
  early_hints: toggle("Answers 103 with the links of the page before the page itself.", "off"),
  fonts: toggle("Serves the fonts of Google from the zone's own domain.", "off"),
  h2_prioritization: choice(
    "Orders what one connection of HTTP/2 delivers.",
    ["on", "off", "custom"],
    "off",
    {
      editableFrom: "pro",
    },
  ),
  image_resizing: choice("Resizes images on the way; `open`: those of any domain.", openProxy, "off", {
    editableFrom: "pro",
  }),
  minify: setting(
    "Removes what a file does not need, by kind of file.",
    object({ css: onOrOff, html: onOrOff, js: onOrOff }),
    { css: "off", html: "off", js: "off" },
  ),
  mirage: toggle("Loads images as slow connections can take them.", "off", { editableFrom: "pro" }),
  mobile_redirect: setting(
    "Sends visitors with a phone to a subdomain.",
    object({ status: onOrOff, mobile_subdomain: emptyOr(hostname), strip_uri: trueOrFalse }),
    { status: "off", mobile_subdomain: null, strip_uri: false },
  ),
  polish: choice("Makes images smaller.", ["off", "lossless", "lossy"], "off", { editableFrom: "pro" }),
  rocket_loader: toggle("Loads JavaScript after the page.", "off"),
  speed_brain: toggle("Prefetches the pages that a visitor is likely to open.", "off"),
  transformations: choice("Transforms images and video; `open`: those of any domain.", openProxy, "off"),
  transformations_allowed_origins: setting(
    "Comma list of the domains whose images and video are transformed.",
    text(4096),
    "",
  ),
  webp: toggle("Answers images as WebP where that is smaller.", "off", { editableFrom: "pro" }),
};
