/**
 * Text between two lines of tildes, byte for byte. The lines are longer than any run of tildes that begins a line of
 * the text, so no text can close its own fence (B-35, X-36).
 */
export function fenced(text: string): string {
  const fence = '~'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}\n${text}\n${fence}\n`
}

function longestRun(text: string): number {
  let longest = 0
  for (const [run] of text.matchAll(/^~+/gm)) longest = Math.max(longest, run.length)
  return longest
}
