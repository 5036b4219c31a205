/** Letters of other scripts that look like Latin ones, in pairs. */
const pairs =
  'аaеeоoрpсcуyхxіiјjѕsԁdһhԛqԝwᴀaАAВBЕEКKМMНHОOРPСCТTХXІIЈJЅSοoαaνvρpιiκkυuΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXɡgɑaıiո' +
  'nօoսuհhցgѵv'

const latin: ReadonlyMap<string, string> = new Map(
  Array.from(pairs).flatMap((letter, index, all) => (index % 2 === 0 ? [[letter, all[index + 1] ?? letter]] : [])),
)

const other = /[\u0131\u0251\u0261\u0370-\u03FF\u0400-\u052F\u0530-\u058F\u1D00]/
const mixed =
  /[A-Za-z][\u0131\u0251\u0261\u0370-\u052F\u0530-\u058F\u1D00]|[\u0131\u0251\u0261\u0370-\u052F\u0530-\u058F\u1D00][A-Za-z]/
const words = /[\p{L}\p{M}]+/gu

/** Words that mix Latin letters with look-alikes are written with Latin ones; words of another script are left alone. */
export function latinLookalikes(text: string): string {
  if (!mixed.test(text)) return text
  return text.replace(words, (word) =>
    other.test(word) && /[A-Za-z]/.test(word) ? Array.from(word, (one) => latin.get(one) ?? one).join('') : word,
  )
}
