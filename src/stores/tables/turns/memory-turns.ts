import { passageRanker } from '../../../knowledge/index.ts'
import type { MemoryKernel, MemoryPortable, MemoryScope, MemoryTable } from '../../kernel/table.ts'
import { isSearched } from '../originals/searched-originals.ts'
import { listKinds } from '../list-kinds.ts'
import { mostSearched } from './turn.ts'
import type { FoundInTenant, Turn, TurnItem, TurnTypes } from './turn.ts'
import { withoutSession, writtenItem } from './turn-rows.ts'
import type { StoredTurnItem } from './turn-rows.ts'

export function memoryTurns(kernel: MemoryKernel): MemoryTable<TurnTypes> {
  const logs = new WeakMap<MemoryScope, Turn[]>()
  const inLane = (lane: MemoryScope): readonly Turn[] => logs.get(lane) ?? []
  const best = (lanes: readonly MemoryScope[], words: string, limit: number): readonly FoundInTenant[] => {
    const said = lanes
      .flatMap((lane) => inLane(lane).map((turn) => ({ session: lane.scope.session, turn })))
      .flatMap(({ session, turn: { items, ...turn } }) => items.map((item) => ({ session, ...turn, item })))
      .filter(({ item }) => isSearched(item))
    const scores = passageRanker(said.map(({ item }) => ({ text: `${item.toolName ?? ''}\n${item.text}` })))(words)
    return Array.from(said.entries())
      .map(([at, found]) => ({ found, score: scores[at] ?? 0 }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ found }) => found)
  }
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
      search: ({ tenant, session }, words, limit) =>
        best(kernel.lanes(tenant, session), words, limit).map(withoutSession),
      searchTenant(tenant, words, limit) {
        const lanes = kernel.sessions(tenant).flat()
        return best(lanes.toSorted((a, b) => b.usedMs - a.usedMs).slice(0, mostSearched), words, limit)
      },
    },
    portable: turnsInFile(logs),
  }
}

/** The log of each lane as rows. */
function turnsInFile(logs: WeakMap<MemoryScope, Turn[]>): MemoryPortable {
  return {
    *rows({ lanes }) {
      for (const { lane, number, lists } of lanes)
        for (const { turn, requestId, createdMs, items } of logs.get(lane) ?? []) {
          const first = lists.append(listKinds.turn, items, writtenItem)
          yield { relation: 'turns', cells: [number, turn, requestId, createdMs, first, items.length] }
        }
    },
    put({ cells: [number, turn, requestId, createdMs, first, count] }, { lane: laneOf, fragments, texts }) {
      const lane = laneOf(number)
      const stored = fragments.read<StoredTurnItem>(Number(number), listKinds.turn, [Number(first), Number(count)])
      const items = stored.map((one): TurnItem => {
        if ('text' in one) return one
        const { textHash, ...item } = one
        return { ...item, text: texts.get(textHash) }
      })
      const log = logs.get(lane) ?? []
      logs.set(lane, log)
      log.push({
        turn: Number(turn),
        lane: lane.scope.lane ?? '',
        requestId: String(requestId),
        createdMs: Number(createdMs),
        items,
      })
    },
  }
}
