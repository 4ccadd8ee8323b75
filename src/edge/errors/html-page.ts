/** What a page of the edge shows. */
interface HtmlPage {
  readonly title: string;
  readonly hostname: string;
  /** HTML. */
  readonly content: string;
  /** Pairs of a term and its value. */
  readonly facts: readonly (readonly [string, string])[];
  /** The nonce of the content security policy, for the styles. */
  readonly nonce?: string;
}

/** Renders a page that loads no other files. */
export function htmlPage({ title, hostname, content, facts, nonce }: HtmlPage): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<link rel="icon" href="data:,">
<title>${escaped(hostname === "" ? title : `${title} | ${hostname}`)}</title>
<style${nonce === undefined ? "" : ` nonce="${nonce}"`}>
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: #1f2933; background: #f5f7fa; }
main { max-width: 38rem; margin: 12vh auto; padding: 2rem; background: #fff; border-top: 4px solid #2f6fed; }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; }
button { padding: .5rem 1.25rem; font: inherit; color: #fff; background: #1d56c9; border: 0; border-radius: .25rem; cursor: pointer; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 1.5rem 0 0; font-size: .875rem; color: #52606d; }
dd { margin: 0; overflow-wrap: anywhere; font-family: ui-monospace, monospace; }
</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${content}
<dl>
${facts.map(([term, description]) => `<dt>${escaped(term)}</dt><dd>${escaped(description)}</dd>`).join("\n")}
</dl>
</main>
</body>
</html>
`;
}

/** Facts that a visitor can report to the owner of the site. */
export function factsOf({
  ray,
  address,
  now,
}: {
  readonly ray: string;
  readonly address: string;
  readonly now: Date;
}): HtmlPage["facts"] {
  return [
    ["Ray ID", ray],
    ["Your address", address],
    ["Time", now.toISOString()],
  ];
}

export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
