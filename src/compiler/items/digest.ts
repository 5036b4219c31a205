import type { Hasher } from '../../core/index.ts'
import { allOf, isAll, sharedRuns } from './same-elements.ts'
import type { SharedRun } from './same-elements.ts'

/** Digest of a list; so many of its elements at the front are known to be those of the last call. */
export type ListDigest<Element> = (list: readonly Element[], unchanged?: number) => string

/** Elements in blocks: how many each holds, and its digest. */
interface Blocks<Element> {
  readonly list: readonly Element[]
  readonly lengths: readonly number[]
  readonly digests: readonly string[]
}

/**
 * Digest of many lines in two levels: one for each element, the same for the same one, that ends with a hash in hexadecimal. Lines are gathered
 * into blocks, each block has a digest, and the list of these has one. A block ends after a line whose last digit is 0, one in 16, so that where
 * lines come or go only the blocks around them change.
 */
export function listDigest<Element>(hash: Hasher, lineOf: (element: Element) => string): ListDigest<Element> {
  let last: Blocks<Element> = { list: [], lengths: [], digests: [] }
  let digest = hash('')
  return (list, unchanged = 0) => {
    const runs = sharedRuns(list, last.list, unchanged)
    if (isAll(runs, list, last.list)) return digest
    last = blocksOf({ hash, lineOf, list, runs, last })
    digest = hash(last.digests.join('\n'))
    return digest
  }
}

export function lineDigest(hash: Hasher): ListDigest<string> {
  return listDigest(hash, (line) => line)
}

interface Digested<Element> {
  readonly hash: Hasher
  readonly lineOf: (element: Element) => string
  readonly list: readonly Element[]
  /** What of it is in the last list. */
  readonly runs: readonly SharedRun[]
  readonly last: Blocks<Element>
}

/** Blocks of the last list are taken over where all of one stands in this list without anything between. */
function blocksOf<Element>(digested: Digested<Element>): Blocks<Element> {
  const { list, runs, last } = digested
  const lengths: (readonly number[])[] = []
  const digests: (readonly string[])[] = []
  const make = (start: number): number => {
    const { length, digest } = blockAt(digested, start)
    lengths.push([length])
    digests.push([digest])
    return start + length
  }
  const wholeBlocks = blockFinder(digested)
  let start = 0
  for (const { at, from, length } of runs) {
    while (start < at) start = make(start)
    while (start < at + length) {
      const { first, end, elements } = wholeBlocks(start - at + from, from + length, at - from)
      if (end === first) start = make(start)
      else {
        lengths.push(last.lengths.slice(first, end))
        digests.push(last.digests.slice(first, end))
        start += elements
      }
    }
  }
  while (start < list.length) start = make(start)
  return { list, lengths: allOf(lengths), digests: allOf(digests) }
}

interface BlockRange {
  readonly first: number
  readonly end: number
  readonly elements: number
}

/** Finds the blocks of the last list that begin with an element and end before another one; asked in the order of the list. */
function blockFinder<Element>({ lineOf, list, last }: Digested<Element>) {
  const { lengths } = last
  let block = 0
  let start = 0
  // Only the last block may have been ended by the list: where that goes on, so does the block.
  const endsHere = (end: number, moved: number): boolean =>
    block + 1 < lengths.length || end + moved === list.length || endsBlock(lineOf(last.list[end - 1] as Element))
  return (element: number, before: number, moved: number): BlockRange => {
    while (start < element) {
      start += lengths[block] ?? Infinity
      block += 1
    }
    const first = block
    if (start === element)
      for (;;) {
        const end = start + (lengths[block] ?? Infinity)
        if (end > before || !endsHere(end, moved)) break
        start = end
        block += 1
      }
    return { first, end: block, elements: start - element }
  }
}

interface BlockMade {
  readonly length: number
  readonly digest: string
}

/** The block that begins at an element. */
function blockAt<Element>({ hash, lineOf, list }: Digested<Element>, start: number): BlockMade {
  const lines: string[] = []
  do lines.push(lineOf(list[start + lines.length] as Element))
  while (start + lines.length < list.length && !endsBlock(lines.at(-1)))
  return { length: lines.length, digest: hash(lines.join('\n')) }
}

const zero = 48

function endsBlock(line = ''): boolean {
  return line.charCodeAt(line.length - 1) === zero
}
