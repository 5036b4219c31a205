import type { TextSource } from '../core/index.ts'

/** A text is looked at once in so many characters. */
const strideChars = 4096
const sampleChars = 32

/**
 * One number for each beginning of a text, the shortest first: a text that continues another has all of its numbers but for the
 * last one or two. Reads a hundredth of the text; texts that differ elsewhere have the same numbers.
 */
export function beginningMarks(text: TextSource): readonly number[] {
  const marks: number[] = []
  let [one, two] = [0x9747b28c, 0x68b84d73]
  for (let end = strideChars; end <= text.length; end += strideChars) {
    const sample = text.slice(end - sampleChars, end)
    for (let at = 0; at < sampleChars; at += 1) {
      const code = sample.charCodeAt(at)
      one = Math.imul(one ^ code, 0x85ebca6b)
      one ^= one >>> 13
      two = Math.imul(two + code, 0xc2b2ae35)
      two ^= two >>> 16
    }
    marks.push((one >>> 0) * 2 ** 21 + (two >>> 11))
  }
  return marks
}
