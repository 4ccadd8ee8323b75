/** Whether a text is a day that exists, written `YYYY-MM-DD`. */
export function isCalendarDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  // `Date` reads February 30 as March 2.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
