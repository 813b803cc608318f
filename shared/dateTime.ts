/** Dates with a time between RFC 3339, which says its zone, and a date-time input, which means the local one. */

const shape = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)?$/;

/** The same moment as `YYYY-MM-DDTHH:mm:ss` in local time; undefined when `text` is no date with a time. */
export function localDateTime(text: string): string | undefined {
  const date = parse(text);
  if (!date) return undefined;
  return `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}T${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
}

/** RFC 3339 with a zone: `text` itself when it names one, else the local zone at that moment. */
export function toRfc3339(text: string): string {
  const date = parse(text);
  const local = localDateTime(text);
  if (!date || !local || shape.exec(text)?.[8] !== undefined) return text;
  const offset = -date.getTimezoneOffset();
  const minutes = Math.abs(offset);
  return `${local}${offset < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

function parse(text: string): Date | undefined {
  const [, year, month, day, hour, minute, second = '00', , zone = ''] = shape.exec(text) ?? [];
  // JavaScript turns 31 February into 3 March; a person should hear that it does not exist.
  if (!year || !month || !day || Number(day) > daysIn(Number(year), Number(month))) return undefined;
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone.toUpperCase()}`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function daysIn(year: number, month: number): number {
  const last = new Date(Date.UTC(2000, month, 0));
  last.setUTCFullYear(year, month, 0);
  return last.getUTCDate();
}

function pad(value: number, digits = 2): string {
  return String(value).padStart(digits, '0');
}
