import { day } from './units';

/** Before this, in milliseconds since 1970, lies the zero of a clock in any time zone. */
const near = 2 * day;
/** From here on, in milliseconds since 1970, nobody means a time: the year 9999 is a way to say never. */
const far = Date.UTC(9999, 0, 1);

/**
 * Whether the text of a time says one. Servers write empty text, the zero of their language
 * (`0001-01-01T00:00:00Z`, 1970) or a time far away where there is none; text that is no time at all
 * says something, which is shown as it came.
 */
export function isTimeSet(text: string): boolean {
  const trimmed = text.trim();
  // Years that `Date.parse` does not take, or takes for others: of five digits and more, and 0 and 1.
  if (/^[+-]?\d{5,}-|^000[01]-|^[-0:.TZ+\s]*$/.test(trimmed)) return false;
  const time = Date.parse(trimmed);
  return Number.isNaN(time) || (time >= near && time < far);
}
