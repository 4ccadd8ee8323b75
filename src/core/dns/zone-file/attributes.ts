/** Attributes of a record beyond the DNS, from the comment after it. */
export interface Attributes {
  readonly proxied?: boolean;
  readonly comment?: string;
  /** `name` or `name:value`. */
  readonly tags?: readonly string[];
  readonly settings?: Readonly<Partial<Record<(typeof settingTags)[keyof typeof settingTags], true>>>;
}

/** Tags that stand for settings, by their names in lower case. */
const settingTags = {
  "cf-flatten-cname": "flatten_cname",
  "cf-ipv4-only": "ipv4_only",
  "cf-ipv6-only": "ipv6_only",
} as const;

interface Tag {
  readonly name: string;
  readonly value: string | undefined;
}

const marker = "cf_tags=";
const separatedMarker = ` ${marker}`;
const tagPattern = /([^:,"]*)(?::(?:("(?:[^"\\]|\\.)*")[ \t]*|([^,"]*)))?(,|$)/sy;
const needsQuotes = /["=,\\]|^\s|\s$/;

/** Tags that stand for attributes of the record. Each returns undefined for an invalid value. */
const reservedTags = new Map<string, (value: string | undefined) => Attributes | undefined>([
  ...Object.entries(settingTags).map(
    ([name, setting]): readonly [string, (value: string | undefined) => Attributes | undefined] => [
      name,
      (value) => (value ? undefined : { settings: { [setting]: true } }),
    ],
  ),
  [
    "cf-proxied",
    (value) => (value === "true" || value === "false" ? { proxied: value === "true" } : undefined),
  ],
]);

/** Whether a tag of this name stands for an attribute of the record in a zone file. */
export function isReservedTag(name: string): boolean {
  return reservedTags.has(name.toLowerCase());
}

/** The tags that stand for these settings. */
export function tagsOfSettings(settings: Readonly<Record<string, boolean>>): readonly string[] {
  return Object.entries(settingTags).flatMap(([tag, name]) => (settings[name] ? [tag] : []));
}

/** Whether the text that follows the `;` after a record has tags, perhaps none. */
export function hasMarker(text: string): boolean {
  return ` ${text}`.includes(separatedMarker);
}

/**
 * The attributes in `text`, which is what follows the `;` after a record: `comment`, ` cf_tags=a,b:1` or both.
 * The last `cf_tags=` counts, so that a comment may hold one too. A value in quotes is a JSON string. Undefined
 * when the tags are malformed.
 */
export function readAttributes(text: string): Attributes | undefined {
  // The marker needs a space before it, but may follow the `;` at once.
  const spaced = ` ${text}`;
  const markerAt = spaced.lastIndexOf(separatedMarker);
  if (markerAt === -1) return commentAttribute(text.trim());

  const special = attributesOf(readTags(spaced.slice(markerAt + separatedMarker.length).trim()));
  // The space that was added, and the usual one after the `;`.
  const comment = spaced.slice(0, markerAt).replace(/^ {1,2}/, "");
  return special && { ...commentAttribute(comment), ...special };
}

function commentAttribute(comment: string): Attributes {
  return comment.trim() === "" ? {} : { comment };
}

function readTags(list: string): readonly Tag[] | undefined {
  const tags: Tag[] = [];
  tagPattern.lastIndex = 0;
  for (let separator = list === "" ? "" : ","; separator === ",";) {
    const match = tagPattern.exec(list);
    if (match === null) return undefined;
    const [, name = "", quoted, plain] = match;
    const value = quoted === undefined ? plain?.trim() : parseString(quoted);
    if (name.trim() === "" || (quoted !== undefined && value === undefined)) return undefined;
    tags.push({ name: name.trim(), value });
    separator = match[4] ?? "";
  }
  return tags;
}

function parseString(quoted: string): string | undefined {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return undefined;
  }
}

function attributesOf(all: readonly Tag[] | undefined): Attributes | undefined {
  if (all === undefined) return undefined;
  const special = all.filter(({ name }) => isReservedTag(name)).map(reservedAttribute);
  const tags = all.filter(({ name }) => !isReservedTag(name)).map(tagText);
  if (special.includes(undefined)) return undefined;
  const settings = Object.assign({}, ...special.map((attribute) => attribute?.settings));
  return Object.assign(
    {},
    ...special,
    Object.keys(settings).length > 0 && { settings },
    tags.length > 0 && { tags },
  );
}

function reservedAttribute({ name, value }: Tag): Attributes | undefined {
  return reservedTags.get(name.toLowerCase())?.(value);
}

function tagText({ name, value }: Tag): string {
  return value === undefined ? name : `${name}:${value}`;
}

/**
 * The text that `readAttributes` reads, with ` ;` before it; empty if there are no attributes. `special` are the
 * reserved tags; a user's tag with the name of one is left out, and a line break becomes a space.
 */
export function printAttributes(
  comment: string | null,
  tags: readonly string[],
  special: readonly string[],
  /** Whether the marker of tags stands there although there are none. */
  isMarked = false,
): string {
  const text = (comment ?? "").replace(/[\r\n]+/g, " ");
  const allTags = [
    ...tags.filter((tag) => !isReservedTag(tag.split(":", 1)[0] ?? "")).map(printTag),
    ...special,
  ];
  // Before a marker, a comment is read as it stands.
  const needsMarker = isMarked || allTags.length > 0 || text !== text.trim() || text.includes(marker);
  const parts = [...(text === "" ? [] : [text]), ...(needsMarker ? [marker + allTags.join(",")] : [])];
  return parts.length === 0 ? "" : ` ; ${parts.join(" ")}`;
}

function printTag(tag: string): string {
  const [, name = "", value = ""] = /^([^:]*:?)(.*)$/s.exec(tag) ?? [];
  if (!needsQuotes.test(value)) return tag;
  // The text of the marker inside a value must not be read as the marker.
  return name + JSON.stringify(value).replaceAll(marker, String.raw`cf_tags\u003d`);
}
