/** What is done with a request, as people read it. */
export const modeTexts = {
  block: "Block",
  challenge: "Interactive challenge",
  js_challenge: "JavaScript challenge",
  managed_challenge: "Managed challenge",
} as const;
