import type { z } from 'zod'
import { whyMore } from '../../../sessions/index.ts'
import type { Answered } from '../route.ts'
import type { sessionOutline } from '../schemas/outline.ts'
import type { OutlineRow } from './outline-rows.ts'
import { rounded } from './statistics.ts'

type Outline = Answered<z.output<typeof sessionOutline>>

/** Requests of a page of the timeline. */
export const outlinePage = 100

/** Places at which money is told: as many as a chart can show apart. */
const mostPlaces = 500

/** What the requests of a session come to, the oldest first; the pages are of all of them, or of one conversation. */
export function outlineOf(rows: readonly OutlineRow[], lane: string | undefined): Omit<Outline, 'session' | 'whole'> {
  const shown = lane === undefined ? rows : rows.filter((row) => row.lane === lane)
  const lanes = [...Map.groupBy(rows, (row) => row.lane)]
  return {
    requests: rows.length,
    open: rows.filter(({ isOpen }) => isOpen).length,
    lanes: lanes.map(([name, { length }]) => ({ lane: name, requests: length })),
    sections: [...new Set(rows.flatMap(({ sections }) => sections))],
    widestTokens: rows.reduce((most, { packTokens }) => Math.max(most, packTokens), 0),
    ...sumsOf(rows),
    whyMore: whyMore(rows) ?? null,
    money: moneyOf(rows),
    epochs: epochBeginnings(rows),
    pages: {
      lane: lane ?? null,
      requests: shown.length,
      size: outlinePage,
      starts: shown.filter((_, index) => index % outlinePage === 0).map(({ sequence }) => sequence),
    },
  }
}

type Sums = Pick<
  Outline,
  | 'priced'
  | 'usd'
  | 'passThroughUsd'
  | 'clientUsd'
  | 'observedUsd'
  | 'ifOnUsd'
  | 'ifOnPassThroughUsd'
  | 'inputTokens'
  | 'cachedTokens'
  | 'breaks'
  | 'failures'
  | 'hiddenRounds'
  | 'overheadMs'
>

function sumsOf(rows: readonly OutlineRow[]): Sums {
  const costs = rows.flatMap(({ cost }) => cost ?? [])
  const sum = (of: (row: OutlineRow) => number): number => rows.reduce((total, row) => total + of(row), 0)
  const usdOf = (name: keyof (typeof costs)[number]): number =>
    costs.reduce((total, cost) => rounded(total + cost[name]), 0)
  const known = (name: keyof (typeof costs)[number]): number | null => (costs.length === 0 ? null : usdOf(name))
  return {
    priced: costs.length,
    usd: known('usd'),
    passThroughUsd: known('passThroughUsd'),
    clientUsd: known('clientUsd'),
    observedUsd: usdOf('observedUsd'),
    ifOnUsd: usdOf('ifOnUsd'),
    ifOnPassThroughUsd: usdOf('ifOnPassThroughUsd'),
    inputTokens: sum(({ inputTokens }) => inputTokens),
    cachedTokens: sum(({ cachedTokens }) => cachedTokens),
    breaks: rows.filter(({ breaksCache }) => breaksCache).length,
    failures: rows.filter(({ hasFailed }) => hasFailed).length,
    hiddenRounds: sum(({ hiddenRounds }) => hiddenRounds),
    overheadMs: median(rows.flatMap(({ overheadMs }) => overheadMs ?? [])),
  }
}

/** How money ran up: at every so many requests, and at the last. */
function moneyOf(rows: readonly OutlineRow[]): Outline['money'] {
  const every = Math.max(1, Math.ceil(rows.length / mostPlaces))
  const places: Outline['money'][number][] = []
  let [usd, passThroughUsd, clientUsd, ifOnUsd] = [0, 0, 0, 0]
  rows.forEach(({ cost }, index) => {
    usd = rounded(usd + (cost?.usd ?? 0))
    passThroughUsd = rounded(passThroughUsd + (cost?.passThroughUsd ?? 0))
    clientUsd = rounded(clientUsd + (cost?.clientUsd ?? 0))
    ifOnUsd = rounded(ifOnUsd + (cost ? cost.usd - cost.observedUsd + cost.ifOnUsd : 0))
    const ordinal = index + 1
    if (ordinal % every === 0 || ordinal === rows.length)
      places.push({ ordinal, usd, passThroughUsd, clientUsd, ifOnUsd })
  })
  return places
}

/** One that a provider has refused is begun again by the request after it, under the same number. */
function epochBeginnings(rows: readonly OutlineRow[]): readonly number[] {
  const seen = new Set<string>()
  return rows.flatMap(({ lane, begins }, index) => {
    const name = `${begins} ${lane}`
    if (begins === undefined || seen.has(name)) return []
    seen.add(name)
    return [index + 1]
  })
}

function median(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null
}
