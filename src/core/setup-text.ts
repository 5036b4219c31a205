/** How an agent's own introduction begins, which it sends as the user's first message in every conversation. */
const setupLines =
  /^\s*(?:This is the [\w .-]{1,40}\. We are setting up the context for our chat|# AGENTS\.md instructions for )/

/** What an agent lets the model answer to it, in the first request already. */
const acknowledgements: ReadonlySet<string> = new Set(['Got it. Thanks for the context!'])

/** Whether a text is an agent's introduction: nothing but blocks in tags, or a known one. The user did not type it. */
export function isSetupText(text: string): boolean {
  return setupLines.test(text) || typedText(text) === ''
}

/** Whether a text is the answer to an introduction that an agent has written by itself. */
export function isSetupAnswer(text: string): boolean {
  return text.length <= 100 && acknowledgements.has(text.trim())
}

/** A text behind the blocks in tags that it begins with, such as `<system-reminder>…</system-reminder>`. */
export function typedText(text: string): string {
  let at = 0
  for (let blocks = 0; blocks < mostBlocks; blocks += 1) {
    const opened = opening.exec(text.slice(at, at + mostTagChars))
    if (!opened) break
    const end = `</${opened[1]}>`
    const closed = text.indexOf(end, at + opened[0].length)
    if (closed === -1) break
    at = closed + end.length
  }
  return text.slice(at).trim()
}

const mostBlocks = 50
const mostTagChars = 300
const opening = /^\s*<([A-Za-z][\w:-]{0,60})(?:\s[^<>]*)?>/
