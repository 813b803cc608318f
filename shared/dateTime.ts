/** Dates with a time: RFC 3339, which says its zone, and what people write, which means the local one. */
import { isOfFormat } from './formats.ts';

const shape = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?([Zz]|[+-]\d\d(?::?\d\d)?)?$/;

/** Is this a date with a time, with or without a zone and seconds? */
export function isDateTime(text: string): boolean {
  return isOfFormat('date-time', toRfc3339(text)) === true;
}

/** The same moment as `YYYY-MM-DDTHH:mm:ss` in local time; undefined when `text` is no date with a time. */
export function localDateTime(text: string): string | undefined {
  const date = parse(text);
  if (!date) return undefined;
  return `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}T${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
}

/** RFC 3339 with a zone: the one that `text` names, else the local one at that moment. Other text as it is. */
export function toRfc3339(text: string): string {
  const [, , , , , , seconds, fraction = '', zone] = shape.exec(text) ?? [];
  if (zone !== undefined) {
    const time = text.slice(0, text.length - zone.length).replace(' ', 'T');
    return `${time}${seconds === undefined ? ':00' : ''}${wholeZone(zone)}`;
  }
  const date = parse(text);
  const local = localDateTime(text);
  return date && local ? `${local}${fraction}${offsetOf(date)}` : text;
}

/** The zone of this machine at a moment, such as `+02:00`. */
export function offsetOf(date: Date): string {
  const offset = Math.round(-date.getTimezoneOffset());
  const minutes = Math.abs(offset);
  return `${offset < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`;
}

/** `+02` and `+0200` are `+02:00`. */
function wholeZone(zone: string): string {
  const [, hours, minutes = '00'] = /^([+-]\d\d):?(\d\d)?$/.exec(zone) ?? [];
  return hours === undefined ? zone : `${hours}:${minutes}`;
}

function parse(text: string): Date | undefined {
  const [, year, month, day, hour, minute, second = '00', , zone = ''] = shape.exec(text) ?? [];
  // JavaScript turns 31 February into 3 March; a person should hear that it does not exist.
  if (!year || !isOfFormat('date', `${year}-${month}-${day}`)) return undefined;
  const date = new Date(
    `${year}-${month}-${day}T${hour}:${minute}:${second}${wholeZone(zone).toUpperCase()}`,
  );
  return Number.isNaN(date.getTime()) ? undefined : date;
}

function pad(value: number, digits = 2): string {
  return String(value).padStart(digits, '0');
}
