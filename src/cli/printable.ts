/** Control characters, and those that turn the order of what follows: a terminal must not act on what somebody else has written. */
const acting = /[\0-\x08\x0B-\x1F\x7F-\x9F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

/** A text of somebody else's as a terminal may show it. */
export function printable(text: string): string {
  return text.replace(acting, (one) => {
    const code = one.charCodeAt(0).toString(16)
    return code.length > 2 ? `\\u${code.padStart(4, '0')}` : `\\x${code.padStart(2, '0')}`
  })
}
