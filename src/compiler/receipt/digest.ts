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
      while (start < lines.length) {
        const first = lines[start] ?? ''
        const before = known.get(first)
        const block = before !== undefined && standsAt(before, lines, start) ? before : blockAt(hash, lines, start)
        used.set(first, block)
        digests.push(block.digest)
        start += block.lines.length
      }
      known = used
      return hash(digests.join('\n'))
    },
  }
}

function blockAt(hash: Hasher, lines: readonly string[], start: number): Block {
  let end = start + 1
  while (end < lines.length && !endsBlock(lines[end - 1] ?? '')) end += 1
  const own = lines.slice(start, end)
  return { lines: own, digest: hash(own.join('\n')) }
}

/** Whether the lines from `start` on are those of the block, to its end. */
function standsAt(block: Block, lines: readonly string[], start: number): boolean {
  const { length } = block.lines
  if (start + length > lines.length) return false
  for (let index = 0; index < length; index += 1) if (lines[start + index] !== block.lines[index]) return false
  return start + length === lines.length || endsBlock(block.lines[length - 1] ?? '')
}

const zero = 48
const three = 51

function endsBlock(line: string): boolean {
  const last = line.charCodeAt(line.length - 1)
  return line.charCodeAt(line.length - 2) === zero && last >= zero && last <= three
}
