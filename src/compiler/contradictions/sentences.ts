/** A sentence of a text, where it stands, and what a reader of orders looks at. */
export interface Sentence {
  readonly start: number
  readonly end: number
  /** In lower case, without what is quoted and what only leads up to it. */
  readonly words: string
  /** Whether it forbids. */
  readonly forbids: boolean
  /** What it says it is about, where that is not the answer as such. */
  readonly scope: string | undefined
}

/** Nobody reads orders behind so much text for this. */
const mostChars = 20_000
const longest = 300

const sentenceForm = /[^\n.!?;]+/g

/** The sentences of a text that hold without a condition, with their clauses apart. */
export function sentencesOf(text: string): readonly Sentence[] {
  const found: Sentence[] = []
  for (const match of text.slice(0, mostChars).matchAll(sentenceForm)) {
    const [whole] = match
    if (whole.length > longest || conditional.test(whole) || isCode.test(whole)) continue
    let start = match.index
    for (const clause of whole.split(/(?<=,) (?=(?:and|but) )/)) {
      const sentence = sentenceAt(clause, start)
      if (sentence !== undefined) found.push(sentence)
      start += clause.length + 1
    }
  }
  return found
}

/** Of these nobody can say from afar that they hold together. */
const conditional =
  /\b(?:if|when|whenever|unless|except|otherwise|by default|where possible|as far as possible|in case|wenn|falls|sofern)\b/i

/** Signs that stand in no order that is said in words. */
const isCode = /[{}=<>\\|]/

function sentenceAt(clause: string, start: number): Sentence | undefined {
  const plain = clause
    .replaceAll(/["“„«][^"”»]{0,200}["”»]/g, ' ')
    .replaceAll('’', "'")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}'/-]+/gu, ' ')
    .trim()
  if (plain === '') return undefined
  const forbids = negation.test(plain)
  const words = plain.replace(negation, ' ').replaceAll(lead, ' ').replaceAll(/ +/g, ' ').trim()
  if (words === '') return undefined
  const trimmed = clause.length - clause.trimStart().length
  return { start: start + trimmed, end: start + clause.trimEnd().length, words, forbids, scope: scopeOf(plain) }
}

const negation =
  /\b(?:never|do not|don't|must not|mustn't|should not|shouldn't|may not|cannot|niemals|nie)\b|^(?:please )?(?:avoid|no)\b/

/** Words before an order, and words that only make it stronger. */
const lead =
  /^(?:- |\* )|\b(?:please|always|you must|you should|you have to|must|should|throughout|only|generously|at all times|immer|bitte)\b/g

const scopes =
  /\b(titles?|headings?|summar(?:y|ies)|comments?|commit messages?|e-?mails?|letters?|articles?|documents?|makefiles?|python|tests?|captions?|quotations?|footnotes?)\b/

function scopeOf(words: string): string | undefined {
  const [scope] = scopes.exec(words) ?? []
  return scope?.replace(/s$/, '')
}
