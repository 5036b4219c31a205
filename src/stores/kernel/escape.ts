/**
 * PostgreSQL refuses NUL in a text, Node 22 reads one of SQLite up to the first, and lone surrogates are no UTF-8. Both are written as U+0001 and four hexadecimal digits, and so
 * is U+0001 itself; every other text is written as it is.
 */
const mark = '\u0001'
// eslint-disable-next-line no-control-regex
const refused = /[\0\u0001]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g
// eslint-disable-next-line no-control-regex
const written = /\u0001([0-9a-f]{4})/g

export function escaped(text: string): string {
  if (text.isWellFormed() && !text.includes('\0') && !text.includes(mark)) return text
  return text.replace(refused, (unit) => mark + unit.charCodeAt(0).toString(16).padStart(4, '0'))
}

export function restored(text: string): string {
  if (!text.includes(mark)) return text
  return text.replace(written, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
