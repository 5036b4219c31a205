/** Escapes of programs, entities of markup, and those of addresses; each alternative begins with a character of its own. */
const escapes =
  /\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))|&(?:#[xX]([0-9a-fA-F]{1,6})|#(\d{1,7})|([a-zA-Z]{2,6}));?|%([0-9a-fA-F]{2})/g

const named: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['colon', ':'],
  ['sol', '/'],
  ['lsqb', '['],
  ['rsqb', ']'],
  ['vert', '|'],
  ['num', '#'],
])

/** Characters for what stands for them. What would be no character stays as it is. */
export function decodeEscapes(text: string): string {
  if (!/[\\&%]/.test(text)) return text
  return text.replace(escapes, (whole: string, ...groups: readonly (string | undefined)[]) => {
    const [braced, four, two, hex, decimal, name, percent] = groups
    if (name !== undefined) return named.get(name.toLowerCase()) ?? whole
    const digits = braced ?? four ?? two ?? hex ?? percent
    const code = digits === undefined ? Number(decimal) : Number.parseInt(digits, 16)
    // Bytes of an address that are no ASCII are parts of characters.
    if (percent !== undefined && code >= 0x80) return whole
    return code > 0x10ffff ? whole : String.fromCodePoint(code)
  })
}
