/** The place where a setting takes effect; `api`: in the answers and permissions of the API itself. */
export type Place = "edge" | "dns" | "api" | "stored" | "refused";

/** Whether a setting is in force here, with a note about that. */
export interface InForce {
  readonly place: Place;
  /** The reason why it is not in force, or the part of it that is. */
  readonly note?: string;
}

export const placeWords: Readonly<Record<Place, string>> = {
  edge: "in force at the edge",
  dns: "in force in DNS",
  api: "in force in the API",
  stored: "stored, not in force here",
  refused: "refused",
};

export const edge: InForce = { place: "edge" };
export const dns: InForce = { place: "dns" };
export const api: InForce = { place: "api" };

export const inPart = (place: "edge" | "dns" | "api", note: string): InForce => ({ place, note });

export const stored = (note: string): InForce => ({ place: "stored", note });

export const refused = (note: string): InForce => ({ place: "refused", note });

/** Prints a text such as `Stored, not in force here: there is no cache.` */
export function shownInForce({ place, note }: InForce): string {
  const words = placeWords[place];
  const sentence = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  return note === undefined ? `${sentence}.` : `${sentence}: ${note}.`;
}

/**
 * Lists the settings of a table that are only stored, each with the reason, for descriptions of request
 * bodies.
 */
export function describeStored(rows: Readonly<Record<string, InForce>>): string {
  const idle = Object.entries(rows).filter(([, { place }]) => place === "stored");
  return idle.map(([name, { note }]) => `\`${name}\` (${note})`).join(", ");
}

/**
 * The messages to callers who set values of a table: for each that is only stored, `NAME is stored, not in
 * force here: REASON`.
 */
export function storedTexts(rows: Readonly<Record<string, InForce>>, names: Iterable<string>): string[] {
  return [...new Set(names)].flatMap((name) => {
    const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
    return row?.place === "stored" ? [`${name} is ${placeWords.stored}: ${row.note}`] : [];
  });
}
