/** Characters that take no room: soft hyphens, zero-width ones, controls of direction, fillers, tags and variation selectors. */
const invisible = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu

/** Runs of them; no two runs touch, so that each character is looked at once. */
const invisibleRun = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]+/gu

/** A text as a reader sees it, for those who look for what is hidden in it. */
export function withoutInvisible(text: string): string {
  return text.replace(invisible, '')
}

/**
 * Takes out the characters that nobody sees, but for those that writing needs: joiners in scripts that have them, marks of
 * direction beside scripts that run from right to left, the parts of an emoji and of a flag.
 */
export function stripInvisible(text: string): string {
  return text.replace(invisibleRun, (run, at: number) => {
    const before = charBefore(text, at)
    const after = charAt(text, at + run.length)
    return isNeeded(run, before, after) ? run : ''
  })
}

/** Whether anything would be taken out. */
export function hasInvisible(text: string): boolean {
  return stripInvisible(text) !== text
}

const flag = '\u{1F3F4}'
const flagTags = /^[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{3,6}\u{E007F}$/u
const joined = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\u20E3]/u
const joining =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}]/u
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u

function isNeeded(run: string, before: string, after: string): boolean {
  if (run.length === 1 && (run === '\u200C' || run === '\u200D') && joining.test(before)) return true
  if (run === '\u200E' || run === '\u200F' || run === '\u061C')
    return isNear(rightToLeft, before, after) || before === ''
  if (before === flag) return flagTags.test(run)
  if (run === '\uFE0F' || run === '\uFE0E') return /[\p{Emoji}]/u.test(before)
  return (run === '\u200D' || run === '\uFE0F\u200D') && joined.test(before) && joined.test(after)
}

function isNear(script: RegExp, before: string, after: string): boolean {
  // A mark often stands between a word of another script and the space or the stop behind it.
  return script.test(before) || script.test(after) || /[\p{L}\p{N}\s)]/u.test(before)
}

function charAt(text: string, at: number): string {
  const code = text.codePointAt(at)
  return code === undefined ? '' : String.fromCodePoint(code)
}

function charBefore(text: string, at: number): string {
  if (at === 0) return ''
  const last = text.charCodeAt(at - 1)
  const isLow = last >= 0xdc00 && last <= 0xdfff
  return charAt(text, isLow && at > 1 ? at - 2 : at - 1)
}
