/** A clock's reading, a date or an id that is made anew for each request: its place in a text, in UTF-16 units. */
export interface VolatileValue {
  readonly start: number
  readonly end: number
}

const month = '(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]{0,6}\\.?'
const weekday = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6}'
const time = '\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?: ?[AaPp]\\.?[Mm]\\b\\.?)?'
const zone = '(?:Z\\b|[+-]\\d{2}:?\\d{2}\\b)'

/** Each begins where a word begins and has a bounded length, so that looking for them takes linear time. */
const forms = [
  `\\d{4}-\\d{2}-\\d{2}(?:[T ]${time} ?${zone}?)?`,
  `\\d{4}/\\d{2}/\\d{2}`,
  `\\d{1,2}[/.]\\d{1,2}[/.]\\d{4}`,
  `(?:${weekday},? )?\\d{1,2}(?:st|nd|rd|th)? ${month},? \\d{4}`,
  `(?:${weekday},? )?${month} \\d{1,2}(?:st|nd|rd|th)?,? \\d{4}`,
  `${weekday} ${month} \\d{1,2}(?: ${time})?(?: [A-Z]{2,5})? \\d{4}`,
  `(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day`,
  `${time}(?: ?${zone})?`,
  `1[5-9]\\d{8}(?:\\d{3}){0,2}(?:\\.\\d{1,9})?`,
  `[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}`,
  `[0-7][0-9A-HJKMNP-TV-Z]{25}`,
  `(?=[a-f]{0,40}\\d)(?=\\d{0,40}[a-f])[0-9a-f]{16,64}`,
  `(?:req|request|trace|span|run|session|sess|chat|conv|msg)[_-](?=[A-Za-z_-]{0,40}\\d)[A-Za-z0-9_-]{8,64}`,
]
const anyForm = new RegExp(`(?<![\\w.:/-])(?:${forms.join('|')})(?![\\w])`, 'g')

/** Something of every form. To look for a digit takes a hundredth of what it takes to look for them all. */
const mayHold = /\d|day/

/**
 * What in a text is likely to be another in the next request: times, dates, UUIDs, ULIDs, hashes and ids of requests. That a
 * value looks so proves nothing; only where it has changed, and nothing else has, is it known to be one.
 */
export function volatileValues(text: string): readonly VolatileValue[] {
  if (!mayHold.test(text)) return []
  return Array.from(text.matchAll(anyForm), ({ index, 0: value }) => ({ start: index, end: index + value.length }))
}

/** The text with one sign in the place of each such value: what texts have in common that differ in them only. */
export function steadyForm(text: string): string {
  return mayHold.test(text) ? text.replaceAll(anyForm, '\u{FFFC}') : text
}
