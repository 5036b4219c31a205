/** Words by which a program says that something went wrong. */
const trouble =
  /\b(?:errors?|fatal|panic(?:ked)?|exception|fail(?:ed|ure|s)?|denied|refused|abort(?:ed|ing)?|timed out|not found|no such file|cannot|can't|could not|couldn't|unable to|invalid|missing|unknown|killed|traceback)\b/i

/** Lines that deny it, and lines of code, markup and lists, in which the words are names. */
const harmless =
  /\b(?:no|0|without|zero) (?:errors?|failures?|problems?)\b|^(?:[a-z]+_[a-z_]+|Subject): |: none$|:\s*$|; |[{};,()[\]=<>]\s*$|^\s*(?:[#/*<>|"'`@$-]|import\b|from\b|def\b|class\b|function\b|const\b|return\b)/i

/** How a message begins: a program, a place or a level, and then what happened. */
const message = /^[\w./\\-]{1,80}(?:\[[\w.-]{1,40}\])?(?:\(\d[\d,]*\))?:\s?\S/

const longest = 300
/** Lines at the beginning and at the end of what a command puts out, where its messages stand. */
const atStart = 2
const atEnd = 4

/**
 * The first line of a text that reads like a message of trouble, where nothing that reads failures has found one. A result that is shown as one
 * line keeps it: a kind that was judged wrongly must not hide what a command said.
 */
export function doubtfulLine(lines: readonly string[]): string | undefined {
  if (isQuoting(lines)) return undefined
  const said = lines.filter((line) => line.trim() !== '' && !/^\s*<\/?\w+>/.test(line))
  const ends = said.length <= atStart + atEnd ? said : [...said.slice(0, atStart), ...said.slice(-atEnd)]
  return ends.find((line) => line.length < longest && message.test(line) && trouble.test(line) && !harmless.test(line))
}

/** Hits of a search begin with a place in a file, and a page of documentation has headings and fences: both show what happens elsewhere. */
function isQuoting(lines: readonly string[]): boolean {
  const hits = lines.filter((line) => /^\S{1,200}:\d+:/.test(line)).length
  if (hits > 2 && hits * 2 > lines.length) return true
  return /^#{1,6} \w/.test(lines[0] ?? '') || lines.some((line) => /^\s*```/.test(line))
}
