/**
 * Text between two lines of tildes, byte for byte. The lines are longer than any run of tildes that begins a line of
 * the text, so no text can close its own fence.
 */
export function fenced(text: string): string {
  const fence = '~'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}\n${text}\n${fence}\n`
}

function longestRun(text: string): number {
  let longest = 0
  if (!text.includes('~')) return longest
  for (const [, run = ''] of text.matchAll(/(?:^|[\n\r\v\f\u0085\u2028\u2029])(~+)/g))
    longest = Math.max(longest, run.length)
  return longest
}

const lineEnd = /[\n\r\v\f\u0085\u2028\u2029]/

/** Whether a reader may see more than one line. */
export function hasLines(text: string): boolean {
  return lineEnd.test(text)
}

const unfitForLabel = /[\n\r\v\f\u0085\u2028\u2029\]]/

/** A name or address as one line. */
export function asLabel(text: string): string {
  if (!unfitForLabel.test(text)) return text
  return text.replaceAll(/[\n\r\v\f\u0085\u2028\u2029\]]+/g, ' ')
}
