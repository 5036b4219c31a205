import { passageRanker } from '../../../knowledge/index.ts'
import type { MemoryKernel, MemoryScope, MemoryTable } from '../../kernel/table.ts'
import { isSearched } from '../originals/searched-originals.ts'
import type { Turn, TurnTypes } from './turn.ts'

export function memoryTurns(kernel: MemoryKernel): MemoryTable<TurnTypes> {
  const logs = new WeakMap<MemoryScope, Turn[]>()
  const inLane = (lane: MemoryScope): readonly Turn[] => logs.get(lane) ?? []
  return {
    apply({ requestId, items }, { lane, nowMs: createdMs }) {
      if (!lane) return
      const log = logs.get(lane) ?? []
      logs.set(lane, log)
      log.push({ turn: log.length + 1, lane: lane.scope.lane ?? '', requestId, createdMs, items })
    },
    reads: {
      list: (tenant, session, { lane, from = 1, to = Number.MAX_SAFE_INTEGER, limit }) =>
        kernel
          .lanes(tenant, session)
          .filter(({ scope }) => lane === undefined || (scope.lane ?? '') === lane)
          .flatMap(inLane)
          .filter(({ turn }) => turn >= from && turn <= to)
          .slice(0, limit),
      has: (tenant, session, requestId) =>
        kernel
          .lanes(tenant, session)
          .flatMap(inLane)
          .some((turn) => turn.requestId === requestId),
      search({ tenant, session }, words, limit) {
        const said = kernel
          .lanes(tenant, session)
          .flatMap(inLane)
          .flatMap(({ items, ...turn }) => items.map((item) => ({ ...turn, item })))
          .filter(({ item }) => isSearched(item))
        const scores = passageRanker(said.map(({ item }) => ({ text: `${item.toolName ?? ''}\n${item.text}` })))(words)
        return Array.from(said.entries())
          .map(([at, found]) => ({ found, score: scores[at] ?? 0 }))
          .filter(({ score }) => score > 0)
          .toSorted((a, b) => b.score - a.score)
          .slice(0, limit)
          .map(({ found }) => found)
      },
    },
  }
}
