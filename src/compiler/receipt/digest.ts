import type { Hasher } from '../../core/index.ts'
import { hasSameElements } from '../items/same-elements.ts'

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
  /** Whether its last line ends it, whatever comes. */
  readonly isEnded: boolean
}

/**
 * Digest of many lines in two levels. Lines are gathered into blocks, each block has a digest, and the list of these has
 * one. A block ends after a line whose last digit is 0, one in 16, so that where lines come or go only the blocks around
 * them change.
 */
export function lineDigest(hash: Hasher): LineDigest {
  let last: readonly Block[] = []
  let digest: string | undefined
  /** Lines of the last call. */
  let count = 0
  return {
    of(lines, unchanged = 0) {
      if (digest !== undefined && unchanged === lines.length && unchanged === count) return digest
      count = lines.length
      const blocks = blocksOf({ hash, last, lines, unchanged })
      if (digest === undefined || !hasSameElements(blocks, last))
        digest = hash(blocks.map((block) => block.digest).join('\n'))
      last = blocks
      return digest
    },
  }
}

interface Digested {
  readonly hash: Hasher
  readonly last: readonly Block[]
  readonly lines: readonly string[]
  readonly unchanged: number
}

/** Blocks of the last list where they stand again, most often one behind the other. */
function blocksOf({ hash, last, lines, unchanged }: Digested): readonly Block[] {
  const blocks: Block[] = []
  let start = 0
  for (const block of last) {
    if (start + block.lines.length > unchanged || !block.isEnded) break
    blocks.push(block)
    start += block.lines.length
  }
  const placeOf = blockFinder(last)
  for (let next = blocks.length; start < lines.length; next += 1) {
    let block = last[next]
    if (block === undefined || !standsAt(block, lines, start)) {
      next = placeOf(lines[start] ?? '', next)
      block = last[next]
      if (block === undefined || !standsAt(block, lines, start)) block = blockAt(hash, lines, start)
    }
    blocks.push(block)
    start += block.lines.length
  }
  return blocks
}

const nearBlocks = 8

/** Where a block begins with a line, near a place or anywhere; just before the place where none does. */
function blockFinder(blocks: readonly Block[]): (first: string, place: number) => number {
  let places: ReadonlyMap<string, number> | undefined
  return (first, place) => {
    for (let at = place; at < place + nearBlocks; at += 1) if (blocks[at]?.lines[0] === first) return at
    places ??= new Map(blocks.map(({ lines }, at) => [lines[0] ?? '', at]))
    return places.get(first) ?? place - 1
  }
}

function blockAt(hash: Hasher, lines: readonly string[], start: number): Block {
  let end = start + 1
  while (end < lines.length && !endsBlock(lines[end - 1] ?? '')) end += 1
  const own = lines.slice(start, end)
  return { lines: own, digest: hash(own.join('\n')), isEnded: endsBlock(own.at(-1) ?? '') }
}

/** Whether the lines from `start` on are those of the block, to its end. */
function standsAt({ lines: own, isEnded }: Block, lines: readonly string[], start: number): boolean {
  const { length } = own
  if (start + length > lines.length) return false
  for (let index = 0; index < length; index += 1) if (!Object.is(lines[start + index], own[index])) return false
  return start + length === lines.length || isEnded
}

const zero = 48

function endsBlock(line: string): boolean {
  return line.charCodeAt(line.length - 1) === zero
}
