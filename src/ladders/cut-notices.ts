import { perObject } from '../core/index.ts'

/**
 * Lines by which a tool says that what it returned is not all that there is: whoever reads the lines around them must not take
 * them for the whole, and no handle brings back what was never returned.
 */

const amount = String.raw`\d[\d,.]{0,12}[kKmM]?`
const things =
  '(?:characters|chars|lines|bytes|rows|results|items|matches|entries|tokens|files|records|messages|pages|commits|hits)'

/** One look that most texts fail. */
const suspicious =
  /elided|truncated|omitted|not shown|remaining|clipped|Showing|showing|start_index|offset=|\d (?:more|others?)\b|has_?more|next_?page|next_?cursor|省略|截断/i

const forms: readonly RegExp[] = [
  new RegExp(
    String.raw`^\W{0,12}${amount} (?:(?:more|other|additional) )?${things}\b.{0,24}\b(?:elided|omitted|truncated|not shown|skipped|hidden|clipped|left out|remaining)\b`,
    'i',
  ),
  new RegExp(
    String.raw`^\W{0,12}(?:and )?${amount} (?:more|others?)(?: ${things})?(?: in (?:the )?file)?\W{0,6}(?:$|Use )`,
    'i',
  ),
  new RegExp(String.raw`^\W{0,6}(?:showing|displaying) .{0,30}${amount}(?: ?(?:-|–|to|of|out of) ?${amount})`, 'i'),
  new RegExp(String.raw`\(total: ${amount} ${things}, ${amount} remaining\)`, 'i'),
  /^\W{0,6}(?:<error>)?(?:(?:the )?(?:output|content|response|result|results|file|text|list|log) (?:was |is |were |has been )?(?:truncated|clipped)|truncated(?: output| here)?)(?:[.\])>…]|$)/i,
  /^\W{0,4}"?(?:has_?more|is_?truncated|truncated|incomplete_?results)"?\s?[:=]\s?true\b/i,
  /^\W{0,4}"?(?:next_?(?:page_?)?(?:token|cursor)|next_?page)"?\s?[:=]\s?"[^"]/i,
  /^\W{0,6}(?:以下|其余|剩余)?.{0,12}(?:已省略|已截断|省略)\W{0,6}$/,
]

const longestNotice = 300
const mostNotices = 6

/** The lines (from 0) of a text that say so, the first few; looked for once. */
export const cutNotices = perObject((lines: readonly string[]) => noticesIn(lines))

function noticesIn(lines: readonly string[]): readonly number[] {
  const found: number[] = []
  for (let at = 0; at < lines.length && found.length < mostNotices; at++) {
    const line = lines[at] ?? ''
    if (line.length <= longestNotice && suspicious.test(line) && forms.some((form) => form.test(line))) found.push(at)
  }
  return found
}
