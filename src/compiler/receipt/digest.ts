import type { Hasher } from '../../core/index.ts'

export interface LineDigest {
  /** Digest of a list of lines, each of which ends with a hash in hexadecimal. */
  of(lines: readonly string[]): string
}

interface Block {
  readonly lines: readonly string[]
  readonly digest: string
}

/**
 * Digest of many lines in two levels. Lines are gathered into blocks, each block has a digest, and the list of these has
 * one. A block ends after a line whose last two digits are below `04`, one in 64, so that where lines come or go only the
 * blocks around them change.
 */
export function lineDigest(hash: Hasher): LineDigest {
  let known: ReadonlyMap<string, Block> = new Map()
  return {
    of(lines) {
      const used = new Map<string, Block>()
      const digests: string[] = []
      let start = 0
      for (let end = 1; end <= lines.length; end += 1) {
        if (end < lines.length && !endsBlock(lines[end - 1] ?? '')) continue
        const first = lines[start] ?? ''
        let block = known.get(first)
        if (block === undefined || !isSame({ block, lines, start, end })) {
          const own = lines.slice(start, end)
          block = { lines: own, digest: hash(own.join('\n')) }
        }
        used.set(first, block)
        digests.push(block.digest)
        start = end
      }
      known = used
      return hash(digests.join('\n'))
    },
  }
}

const zero = 48
const three = 51

function endsBlock(line: string): boolean {
  const last = line.charCodeAt(line.length - 1)
  return line.charCodeAt(line.length - 2) === zero && last >= zero && last <= three
}

function isSame(found: {
  readonly block: Block
  readonly lines: readonly string[]
  readonly start: number
  readonly end: number
}): boolean {
  const { block, lines, start, end } = found
  if (block.lines.length !== end - start) return false
  for (let index = start; index < end; index += 1) if (lines[index] !== block.lines[index - start]) return false
  return true
}
