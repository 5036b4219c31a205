import type { Scope } from '../../kernel/scope.ts'
import { storeError } from '../../kernel/store.ts'
import type { MemoryKernel, MemoryScope, MemoryTable } from '../../kernel/table.ts'
import { listedOriginals } from './listed-originals.ts'
import type { Original, OriginalTypes } from './original.ts'
import { originalsAbout } from './searched-originals.ts'
import { takenHandle } from './taken-handle.ts'

export interface MemoryOriginals extends MemoryTable<OriginalTypes> {
  handlesOf(lane: MemoryScope): Iterable<string>
}

export function memoryOriginals(kernel: MemoryKernel): MemoryOriginals {
  const stored = new WeakMap<MemoryScope, Map<string, Original>>()
  const of = (lane: MemoryScope): ReadonlyMap<string, Original> => stored.get(lane) ?? new Map()
  const all = ({ tenant, session }: Scope): readonly Original[] => [
    ...new Map(kernel.lanes(tenant, session).flatMap((lane) => [...of(lane)])).values(),
  ]
  return {
    check({ originals }, { scope }) {
      const lane = kernel.find(scope)
      const known = lane && of(lane)
      const taken = originals.find(({ handle, text }) => (known?.get(handle)?.text ?? text) !== text)
      if (taken) throw storeError('write', takenHandle(taken.handle), 'Give what is new a name of its own.')
    },
    apply({ originals }, { lane }) {
      if (!lane) return
      const known = stored.get(lane) ?? new Map<string, Original>()
      stored.set(lane, known)
      // They stay as they were first left out.
      for (const original of originals) if (!known.has(original.handle)) known.set(original.handle, original)
    },
    handlesOf: (lane) => of(lane).keys(),
    portable: {
      *rows({ lanes }) {
        for (const { lane, number, text: note } of lanes)
          for (const { handle, text, ...about } of of(lane).values())
            yield { relation: 'handles', cells: [number, handle, note(text), JSON.stringify(about)] }
      },
      put({ cells: [number, handle, hash, about] }, { lane: laneOf, texts }) {
        const lane = laneOf(number)
        const known = stored.get(lane) ?? new Map<string, Original>()
        stored.set(lane, known)
        const text = texts.get(String(hash))
        known.set(String(handle), { handle: String(handle), text, ...(JSON.parse(String(about)) as object) })
      },
    },
    reads: {
      get({ tenant, session }, handle) {
        const lanes = session === undefined ? kernel.sessions(tenant).flat() : kernel.lanes(tenant, session)
        const lane = lanes.find((one) => of(one).has(handle))
        return lane && of(lane).get(handle)
      },
      all,
      list: (scope, query) => listedOriginals(all(scope), query),
      search: (scope, words, search) => originalsAbout(all(scope), words, search),
    },
  }
}
