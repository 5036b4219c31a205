import type { Hasher } from '../../core/index.ts'

/** Lines per digest of the first level. */
const linesPerDigest = 64

export interface LineDigest {
  /** Digest of a list of lines. */
  of(lines: readonly string[]): string
}

/**
 * Digest of many lines in two levels: every 64 lines have a digest, and the list of these has one. When a list grows at
 * its end, only its last digest is made again.
 */
export function lineDigest(hash: Hasher): LineDigest {
  let known: readonly { readonly lines: readonly string[]; readonly digest: string }[] = []
  return {
    of(lines) {
      const blocks: { readonly lines: readonly string[]; readonly digest: string }[] = []
      for (let start = 0; start < lines.length; start += linesPerDigest) {
        const before = known[blocks.length]
        const end = Math.min(lines.length, start + linesPerDigest)
        if (before !== undefined && isSame({ before: before.lines, lines, start, end })) blocks.push(before)
        else {
          const own = lines.slice(start, end)
          blocks.push({ lines: own, digest: hash(own.join('\n')) })
        }
      }
      known = blocks
      return hash(blocks.map(({ digest }) => digest).join('\n'))
    },
  }
}

function isSame(block: {
  readonly before: readonly string[]
  readonly lines: readonly string[]
  readonly start: number
  readonly end: number
}): boolean {
  const { before, lines, start, end } = block
  if (before.length !== end - start) return false
  for (let index = start; index < end; index += 1) if (lines[index] !== before[index - start]) return false
  return true
}
