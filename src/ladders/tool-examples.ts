/** A line that begins examples, as descriptions of tools have them: `Examples:`, `## Example 2`, `**Usage example:** …`. */
const heading = /^(?:#{1,6} |\*\*)?(?:usage )?examples?(?: (?:usage|calls?|inputs?|\d{1,3}))?(?:\*\*)?\s?(?::|$)/i
/** What comes after them under a name of its own. */
const label = /^[A-Z][\w ]{0,30}:(?: |$)/
const fence = /^(?:```|~~~)/

/**
 * A description without its examples: paragraphs that are headed as such, up to the next blank line or label, past what
 * stands in code fences; and what stands between `<example>` tags. Linear in the text.
 */
export function withoutExamples(text: string): string {
  const kept: string[] = []
  let isExample = false
  let isFenced = false
  for (const line of withoutTagged(withoutTagged(text, 'examples'), 'example').split('\n')) {
    const body = line.slice(0, 80).trim()
    if (!isFenced) {
      if (heading.test(body)) isExample = true
      else if (body === '' || label.test(line.slice(0, 80))) isExample = false
    }
    if (isExample && fence.test(body)) isFenced = !isFenced
    if (!isExample) kept.push(line)
  }
  return kept.join('\n')
}

/** What stands between tags goes with them; a tag that nobody closes is text. */
function withoutTagged(text: string, tag: string): string {
  const [opening, closing] = [`<${tag}>`, `</${tag}>`]
  let kept = ''
  let from = 0
  for (let start = text.indexOf(opening); start !== -1; start = text.indexOf(opening, from)) {
    const end = text.indexOf(closing, start)
    if (end === -1) break
    kept += text.slice(from, start)
    from = end + closing.length
  }
  return kept + text.slice(from)
}
