import type { Hasher } from '../../core/index.ts'

export interface LineDigest {
  /**
   * Digest of a list of lines, each of which ends with a hash in hexadecimal. `unchanged` lines at the front are known to
   * be those of the last call.
   */
  of(lines: readonly string[], unchanged?: number): string
}

interface Block {
  readonly lines: readonly string[]
  readonly digest: string
}

/**
 * Digest of many lines in two levels. Lines are gathered into blocks, each block has a digest, and the list of these has
 * one. A block ends after a line whose last digit is 0, one in 16, so that where lines come or go only the blocks around
 * them change.
 */
export function lineDigest(hash: Hasher): LineDigest {
  let known: ReadonlyMap<string, Block> = new Map()
  let last: readonly Block[] = []
  let digest: string | undefined
  /** Lines of the last call. */
  let count = 0
  return {
    of(lines, unchanged = 0) {
      if (digest !== undefined && unchanged === lines.length && unchanged === count) return digest
      count = lines.length
      const blocks: Block[] = []
      let start = 0
      for (const block of last) {
        if (start + block.lines.length > unchanged || !endsBlock(block.lines.at(-1) ?? '')) break
        blocks.push(block)
        start += block.lines.length
      }
      while (start < lines.length) {
        const before = known.get(lines[start] ?? '')
        const block = before !== undefined && standsAt(before, lines, start) ? before : blockAt(hash, lines, start)
        blocks.push(block)
        start += block.lines.length
      }
      if (unchanged === 0) known = new Map(blocks.map((block) => [block.lines[0] ?? '', block]))
      if (digest === undefined || !isSame(blocks, last)) digest = hash(blocks.map((block) => block.digest).join('\n'))
      last = blocks
      return digest
    },
  }
}

function isSame(blocks: readonly Block[], others: readonly Block[]): boolean {
  return blocks.length === others.length && blocks.every((block, index) => block === others[index])
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

function endsBlock(line: string): boolean {
  return line.charCodeAt(line.length - 1) === zero
}
