/** What the lines of a text say in words and figures, beside the names of programs. */
export interface SaidLines {
  /** Expected later uses of each line that is new to the context. */
  readonly worths: Float32Array
  /** What each line says, as a number; 0 where it says nothing. */
  readonly own: Uint32Array
  /** The same together with what the line before says: a state below the name of what is in it. */
  readonly pairs: Uint32Array
}

/** Amounts of money, percentages, and numbers with a unit; dates and times. */
const amount =
  /[€$£¥₹] ?\d|\d ?(?:[€$£¥₹%]|(?:EUR|USD|GBP|CHF|JPY|kg|km|cm|mm|GB|MB|KB|Mi|Gi|ms|min|days?|hours?|weeks?|years?|people)(?![\p{L}\p{N}]))|\d{4}-\d\d-\d\d|\d\d?[./]\d\d?[./]\d{4}|\d\d?:\d\d|\d\d?\.? (?:Jan|F[eé][bv]|M[aä]r|A[pv]r|Ma[iy]|Ju[inl]|A[ou]|Sep|O[ck]t|Nov|De[cz]|янв|фев|мар|апр|ма[йя]|ию[нл]|авг|сен|окт|ноя|дек)|\d\d?\.? \p{L}{3,10}\.? \d{4}(?!\d)|\d ?(?:euros?|dollars?|pounds?|евро|руб\p{L}*|Euro|Mio|million)(?!\p{L})|\d[年月日円元]/gu
const number = /\p{N}(?:[\p{N}.,:/-]*\p{N})?/gu
/** Words with a capital that begin nothing, names in quotation marks, and marks of letters and digits. */
const name =
  /(?<=[\p{L}\p{N},;:] )\p{Lu}[\p{L}'’-]{2,40}|["“«「'][^"”»」'\n]{3,80}["”»」']|\b(?=[A-Z\d-]*\d)(?=[A-Z\d-]*[A-Z])[A-Z\d-]{4,24}\b/gu
const word = /\p{L}[\p{L}\p{M}'’]+/gu
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/gu
const otherScript = /[^\u0000-\u02ff]/

const worthOf = { amount: 0.03, number: 0.012, name: 0.012, word: 0.0022, character: 0.002, brief: 0.012 } as const
const mostOf = { amount: 2, number: 3, name: 3, word: 30, character: 80 } as const
/** A state, a label or a heading, in so many words. */
const briefWords = 4
const mostWorth = 0.25
const looked = 600
const hashed = 160

/**
 * Reads lines as `tellOf` says them: without the markup of a page, say. What is said twice is worth something once; whoever adds
 * the worths up looks at `own` and `pairs` for that.
 */
export function saidLines(lines: readonly string[], tellOf: (line: string) => string = asItIs): SaidLines {
  const size = lines.length
  const worths = new Float32Array(size)
  const own = new Uint32Array(size)
  const pairs = new Uint32Array(size)
  eachSaid(lines, tellOf, ({ at, told, key, pair }) => {
    own[at] = key
    pairs[at] = pair
    worths[at] = worthOfLine(told)
  })
  return { worths, own, pairs }
}

function asItIs(line: string): string {
  return line
}

/** The same numbers alone, of all lines together. */
export function keysOf(lines: readonly string[], tellOf: (line: string) => string): readonly number[] {
  const keys = new Set<number>()
  eachSaid(lines, tellOf, ({ key, pair }) => keys.add(key).add(pair))
  return [...keys]
}

interface Said {
  readonly at: number
  /** The line as it was read. */
  readonly told: string
  readonly key: number
  readonly pair: number
}

/** Every line that says something, with the numbers that tell it apart. */
function eachSaid(lines: readonly string[], tellOf: (line: string) => string, visit: (said: Said) => void): void {
  let before = 0
  lines.forEach((line, at) => {
    const told = tellOf(line.length > looked ? line.slice(0, looked) : line)
    const key = keyOf(told)
    if (key === 0) return
    visit({ at, told, key, pair: pairOf(before, key) })
    before = key
  })
}

function pairOf(before: number, key: number): number {
  return (Math.imul(before, 0x9e3779b1) ^ key) >>> 0
}

function worthOfLine(told: string): number {
  const words = count(told, word, mostOf.word)
  const amounts = hasDigit.test(told) ? count(told, amount, mostOf.amount) : 0
  const numbers = hasDigit.test(told) ? count(told, number, mostOf.number) : 0
  const names = count(told, name, mostOf.name)
  const characters = otherScript.test(told) ? count(told, unspaced, mostOf.character) : 0
  const isBrief = words + characters > 0 && words <= briefWords && numbers === 0
  const worth =
    worthOf.amount * amounts +
    worthOf.number * Math.max(0, numbers - amounts) +
    worthOf.name * names +
    worthOf.word * words +
    worthOf.character * characters +
    (isBrief ? worthOf.brief : 0)
  return Math.min(mostWorth, worth)
}

const hasDigit = /\d/

function count(text: string, form: RegExp, most: number): number {
  let found = 0
  form.lastIndex = 0
  while (found < most && form.test(text)) found += 1
  return found
}

/** A number that tells apart what lines say: their letters and digits; 0 where there are none. */
function keyOf(told: string): number {
  let key = 0x811c9dc5
  let letters = 0
  const end = Math.min(told.length, hashed)
  for (let at = 0; at < end; at += 1) {
    const code = told.charCodeAt(at)
    if (code < 48 || (code > 57 && code < 65) || (code > 90 && code < 97) || (code > 122 && code < 170)) continue
    key = Math.imul(key ^ code, 0x01000193)
    letters += 1
  }
  return letters === 0 ? 0 : (Math.imul(key, 0x85ebca6b) ^ told.length) >>> 0 || 1
}

/** What has been said already. */
export interface KnownSaid {
  has(key: number): boolean
}

/** What is said under another name again is worth half. */
const saidElsewhere = 0.5

/** The worths of lines that neither `known` nor a line before them says. */
export function freshWorths({ worths, own, pairs }: SaidLines, known: KnownSaid): Float32Array {
  const seen = new Set<number>()
  const isKnown = (key: number): boolean => seen.has(key) || known.has(key)
  const fresh = new Float32Array(worths.length)
  for (let at = 0; at < worths.length; at += 1) {
    const [key = 0, pair = 0, worth = 0] = [own[at], pairs[at], worths[at]]
    if (key === 0) continue
    fresh[at] = isKnown(pair) ? 0 : isKnown(key) ? worth * saidElsewhere : worth
    seen.add(pair).add(key)
  }
  return fresh
}

/** Of a page as a browser's accessibility tree tells it, or as its elements are numbered. */
export const snapshotLine =
  /^\s*- (?:[a-z]+)(?: "(?:[^"\\]|\\.)*")?(?: \[[^\]]*\])*(?: \[ref=\w+\])|^\s*\*?\[\d{1,5}\]<[a-z]/

const snapshotRole = /^\s*- (?:text|paragraph|[a-z]+)\b:?/
const bracketed = / \[(?:ref|cursor|level|active|checked|expanded|selected|disabled|pressed)[^\]]*\]/g
const tag = /<[^<>]{0,400}>/g
const numbered = /^\s*\*?\[\d{1,5}\]</

/** What a line of a page says to whoever sees it. */
export function pageLine(line: string): string {
  const plain =
    line.includes('<') || numbered.test(line)
      ? line
          .replace(/^\s*\*?\[\d{1,5}\]</, '<')
          .replaceAll(tag, ' ')
          .replace(/<[a-z]+>?| \/>$/g, ' ')
      : line
  if (/^\s*- \/(?:url|placeholder):/.test(plain)) return ''
  return plain.replaceAll(bracketed, '').replace(snapshotRole, '')
}

/** A record of a log without when it was written. */
const written =
  /^[[(]?\d{4}[-/]\d\d[-/]\d\d[T ][\d:.,]+(?:Z|[+-]\d\d:?\d\d)?[\])]?\s*|"(?:ts|time|timestamp|@timestamp)":\s?(?:"[^"]*"|[\d.]+),?/

export function logLine(line: string): string {
  return line.replace(written, '')
}
