/** An e-mail address without spaces and control characters. */
export const emailPattern = String.raw`^[^\s@\u0000-\u001f]{1,256}@[^\s@\u0000-\u001f]{1,253}$`;

/**
 * The form in which e-mail addresses are compared. Only A to Z are folded: other letters, such as the Kelvin
 * sign, have a lower case that is another address.
 */
export function foldEmail(email: string): string {
  return email.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
