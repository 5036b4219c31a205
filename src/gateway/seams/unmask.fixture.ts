import type { ReplyFilter } from '../index.ts'

export interface Unmasking {
  readonly kinds: ReplyFilter['kinds']
  /** What may be the beginning of a word that stands for another, at the end of a text. */
  readonly beginning: RegExp
  unmasked(text: string): string
}

/** Gives a reply its own words again; what may be the beginning of one is held back until it is whole. */
export function unmaskFilter({ kinds, beginning, unmasked }: Unmasking): ReplyFilter {
  return {
    name: 'unmask',
    failure: 'closed',
    kinds,
    open: () => {
      const held = new Map<string, string>()
      return {
        piece: ({ key }, text) => {
          const all = (held.get(key) ?? '') + text
          const at = beginning.exec(all)?.index ?? all.length
          held.set(key, all.slice(at))
          return unmasked(all.slice(0, at))
        },
        end: ({ key }) => {
          const rest = held.get(key) ?? ''
          held.delete(key)
          return rest
        },
      }
    },
  }
}
