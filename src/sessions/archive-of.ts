import type { Item, Manifest, ToolDefinition } from '../core/index.ts'
import { invalidInput } from '../core/index.ts'
import { originalsAbout } from '../stores/index.ts'
import type { Original } from '../stores/index.ts'
import { originalsOf } from './originals-of.ts'
import { searchedChars } from './tools/find-about.ts'
import type { ToolAnswer } from './tools/hidden-tool.ts'
import { rehydrateTool } from './tools/rehydrate-tool.ts'

/** What is asked of an archive: a handle, or of its text some lines (`57-90`) or those with some words; or a topic. */
export interface ArchiveQuestion {
  readonly handle?: string
  readonly lines?: string
  readonly about?: string
}

/** What a compile left out or shortened, within reach. */
export interface Archive {
  /** To be offered to the model beside its tools; its calls are answered by `rehydrate`. */
  readonly tool: ToolDefinition
  /** To be kept by whoever wants to answer later. */
  readonly originals: readonly Original[]
  /** The text that is asked for, or words for the model where there is none. */
  rehydrate(asked: ArchiveQuestion): Promise<ToolAnswer>
  /**
   * The items, those of the handles pinned: compiled again they stand whole, and what is worth less gives way to them. Compiled as before
   * after the step, they go back. Throws `invalid-input` where a handle is not known.
   */
  recalled(handles: readonly string[]): readonly Item[]
}

/** Longer answers tell how to ask for their parts. */
const usualChars = 24_000

/**
 * The archive of a compile, from its items and its receipt. Pure but for the promise.
 *
 * ```ts
 * const { pack, manifest } = compile({ ...input, rehydration: true })
 * const archive = archiveOf(input.items, manifest)
 * await archive.rehydrate({ about: 'retry policy' })
 * ```
 */
export function archiveOf(
  items: readonly Item[],
  manifest: Pick<Manifest, 'decisions' | 'omissions'>,
  { maxChars = usualChars }: { readonly maxChars?: number } = {},
): Archive {
  const originals = originalsOf(items, manifest)
  const byHandle = new Map(originals.map((original) => [original.handle, original]))
  const { definition } = rehydrateTool
  return {
    tool: definition,
    originals,
    rehydrate: (asked) =>
      rehydrateTool.answer(
        { id: '', name: definition.name, arguments: JSON.stringify(asked) },
        {
          original: async (handle) => byHandle.get(handle),
          originals: async (words) => originalsAbout(originals, words, { maxChars: searchedChars }),
          maxChars,
        },
      ),
    recalled(handles) {
      const ids = new Set(handles.map((handle, index) => itemIdOf(byHandle.get(handle), index)))
      return items.map((item) => (ids.has(item.id) ? { ...item, pin: true } : item))
    },
  }
}

function itemIdOf(original: Original | undefined, index: number): string {
  const id = original?.leftOut?.itemId
  if (id !== undefined) return id
  throw invalidInput(
    `handles[${index}]`,
    'stands for no item of the compile',
    'Copy a handle from the list of what is not shown.',
  )
}
