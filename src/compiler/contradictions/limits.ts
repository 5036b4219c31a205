/** How many of something there may be; both ends are allowed. */
export interface Limit {
  readonly unit: string
  readonly range: readonly [least: number, most: number]
}

const numbers: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  twenty: 20,
  fifty: 50,
  hundred: 100,
}

const number = `(\\d{1,9}|${Object.keys(numbers).join('|')})`
const unit =
  '(words?|sentences?|paragraphs?|characters?|lines?|bullet points?|bullets?|items?|examples?|steps?|pages?|tokens?|options?|questions?)'
const most = 'at most|no more than|not more than|up to|a maximum of|maximum|max|no longer than|within'
const below = 'fewer than|less than|under|below'
const least = 'at least|no fewer than|no less than|not less than|a minimum of|minimum|min'
const above = 'more than|over'

const isMost = new RegExp(`^(?:${most})$`)
const isBelow = new RegExp(`^(?:${below})$`)
const isLeast = new RegExp(`^(?:${least})$`)

const bounded = new RegExp(`\\b(${most}|${below}|${least}|${above}|exactly)(?: an?)? ${number} ${unit}\\b`)
const bare = new RegExp(
  `^(?:give|list|write|use|provide|name|show) (?:exactly )?${number} ${unit}\\b( or more| or fewer| or less)?`,
)

/** The limit that a sentence in lower case sets. */
export function limitIn(words: string): Limit | undefined {
  const [, kind, amount, of] = bounded.exec(words) ?? []
  if (kind !== undefined && amount !== undefined && of !== undefined)
    return { unit: unitOf(of), range: rangeOf(kind, valueOf(amount)) }
  const [, count, what, open] = bare.exec(words) ?? []
  if (count === undefined || what === undefined) return undefined
  const value = valueOf(count)
  return {
    unit: unitOf(what),
    range: [open === undefined || open === ' or more' ? value : 0, open === ' or more' ? Infinity : value],
  }
}

function valueOf(amount: string): number {
  return numbers[amount] ?? Number(amount)
}

function unitOf(of: string): string {
  return of.startsWith('bullet') ? 'bullets' : `${of.replace(/s$/, '')}s`
}

function rangeOf(kind: string, value: number): readonly [number, number] {
  if (kind === 'exactly') return [value, value]
  if (isMost.test(kind)) return [0, value]
  if (isBelow.test(kind)) return [0, value - 1]
  return isLeast.test(kind) ? [value, Infinity] : [value + 1, Infinity]
}
