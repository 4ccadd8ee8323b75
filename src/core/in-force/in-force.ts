/** Where something that can be set takes effect; `api`: on what the API itself answers and permits. */
export type Place = "edge" | "dns" | "api" | "stored" | "refused";

/** Whether something that can be set is in force here, and what there is to know about that. */
export interface InForce {
  readonly place: Place;
  /** Why it is not in force, or what is in force of it. */
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

/** As `Stored, not in force here: there is no cache.` */
export function shownInForce({ place, note }: InForce): string {
  const words = placeWords[place];
  const sentence = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  return note === undefined ? `${sentence}.` : `${sentence}: ${note}.`;
}

/** Those of a table that are stored alone, each with the reason, for descriptions of what may be sent. */
export function describeStored(rows: Readonly<Record<string, InForce>>): string {
  const idle = Object.entries(rows).filter(([, { place }]) => place === "stored");
  return idle.map(([name, { note }]) => `\`${name}\` (${note})`).join(", ");
}

/** What to tell whoever sets things of a table: for each that is stored alone `NAME is stored, not in force here: REASON`. */
export function storedTexts(rows: Readonly<Record<string, InForce>>, names: Iterable<string>): string[] {
  return [...new Set(names)].flatMap((name) => {
    const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
    return row?.place === "stored" ? [`${name} is ${placeWords.stored}: ${row.note}`] : [];
  });
}
