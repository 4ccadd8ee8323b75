/** One error of a v4 envelope. */
interface ErrorDetail {
  readonly code: number;
  readonly message: string;
  readonly source?: { readonly pointer?: string };
  readonly error_chain?: readonly { readonly code: number; readonly message: string }[];
}

/** The zone or account never had a rule in the phase. */
export const noEntryPointCode = 10003;

/** Nobody has set up transfers of the zone. */
export const notConfiguredCode = 10004;

/** A message without the marks that set names apart in Markdown. */
export function plainText(message: string): string {
  return message.replaceAll("`", "");
}

/** A refusal of the API, or an answer that is none; `status` is 0 where nothing answered. */
export class ApiError extends Error {
  readonly status: number;
  readonly details: readonly ErrorDetail[];

  constructor(status: number, details: readonly ErrorDetail[]) {
    super(details.map(({ message }) => message).join("; "));
    this.name = "ApiError";
    this.status = status;
    this.details = details;
  }

  hasCode(...codes: readonly number[]): boolean {
    return this.details.some(({ code }) => codes.includes(code));
  }

  /** The messages about one field of the body, by its JSON pointer, with their codes. */
  about(pointer: string): string | undefined {
    const detail = this.details.find(({ source }) => source?.pointer === pointer);
    return detail && `${plainText(detail.message)} (code ${detail.code})`;
  }

  /** The pointers of errors that are about one of these fields, or about a part of one. */
  pointersWithin(fields: readonly string[]): readonly string[] {
    return this.details.flatMap(({ source }) => {
      const pointer = source?.pointer;
      const isWithin = fields.some((field) => pointer === field || pointer?.startsWith(`${field}/`));
      return pointer !== undefined && isWithin ? [pointer] : [];
    });
  }

  /** The messages about a field, or its first wrong part, with their codes. */
  within(pointer: string): string | undefined {
    const [first] = this.pointersWithin([pointer]);
    return first === undefined ? undefined : this.about(first);
  }
}
