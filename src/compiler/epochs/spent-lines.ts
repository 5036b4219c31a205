import type { Item, Rendition } from '../../core/index.ts'
import type { FactReader } from '../../ladders/index.ts'

export interface SpentOptions {
  readonly items: readonly Item[]
  readonly renditions: readonly Rendition[]
  /** The step of each item. */
  readonly steps: readonly number[]
  readonly facts: FactReader
  /** Items whose present rendition does not count, because they are about to be shortened. */
  skip(index: number): boolean
}

/**
 * What of the model's own calls nobody can miss: texts that were replaced or that a later write, or a removal, has superseded, and lines
 * that stand elsewhere.
 */
export interface SpentLines {
  /** Whether a line of a string of the call is spent. */
  ofCall(index: number): (text: string) => (line: string) => boolean
  /** What an item that was about to be shortened shows from now on. */
  add(index: number, shown: Rendition): void
}

export function spentLines({ items, renditions, steps, facts, skip }: SpentOptions): SpentLines {
  /** Texts whose lines are shown, and the lines of those that were read: nothing is read before a call asks. */
  const unread: (readonly [item: Item, text: string])[] = []
  const shownLines = new Set<string>()
  const failedSteps = new Set<number>()
  const add = (item: Item, { rung, text }: Rendition): void => {
    if (rung === 'line' || rung === 'pointer' || item.kind === 'tool-schema') return
    unread.push([item, text])
  }
  const isShown = (line: string): boolean => {
    for (const [item, text] of unread.splice(0)) for (const shown of facts.eachLineOf(item, text)) shownLines.add(shown)
    return shownLines.has(line)
  }
  items.forEach((item, index) => {
    if (item.kind === 'tool-result' && item.status === 'error') failedSteps.add(steps[index] ?? 0)
    const shown = renditions[index]
    if (shown !== undefined && !skip(index)) add(item, shown)
  })
  const gone = goneFiles({ items, steps, facts, failedSteps })
  return {
    ofCall(index) {
      const { writes, replaces } = facts.ofCall(items[index]?.text ?? '')
      const isDone = !failedSteps.has(steps[index] ?? 0)
      const isSuperseded = isDone && writes.length > 0 && writes.every((path) => (gone.get(path) ?? -1) > index)
      return (text) => (line) => isSuperseded || (isDone && replaces.has(text)) || isShown(line)
    },
    add(index, shown) {
      const item = items[index]
      if (item !== undefined) add(item, shown)
    },
  }
}

interface FilesOptions extends Pick<SpentOptions, 'items' | 'steps' | 'facts'> {
  readonly failedSteps: ReadonlySet<number>
}

/** The last call that wrote a file anew, or removed it, by its path. */
function goneFiles({ items, steps, facts, failedSteps }: FilesOptions): ReadonlyMap<string, number> {
  const gone = new Map<string, number>()
  items.forEach((item, index) => {
    if (item.kind !== 'tool-call' || failedSteps.has(steps[index] ?? 0)) return
    const { writes, removes } = facts.ofCall(item.text)
    for (const path of [...writes, ...removes]) gone.set(path, index)
  })
  return gone
}
