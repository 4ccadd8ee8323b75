/** What an e-mail address is here: a name and a host, without spaces and control characters. */
export const emailPattern = String.raw`^[^\s@\u0000-\u001f]{1,256}@[^\s@\u0000-\u001f]{1,253}$`;

/** Two addresses are the same one when their folded forms are. */
export function foldEmail(email: string): string {
  return email.toLowerCase();
}
