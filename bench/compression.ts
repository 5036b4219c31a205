import { compressionBands, policies } from '../src/compiler/index.ts'
import { compressionMeasures } from './compression-measures.ts'
import { markdownTable } from './markdown-table.ts'
import { catalogues, conversations, meetings, recorded, sessions } from './utilisation-cases.ts'

/*
 * How far each kind of context is compressed by the slots of `gateway-128k`, of recorded meetings, conversations, catalogues and sessions of
 * agents, beside the band of each kind, and whether the user's request stands in every pack byte for byte.
 *
 *   npm run -s bench -- compression
 */

const policy = policies['gateway-128k']
if (policy === undefined) throw new Error('comes with the product')

const sets = [
  { set: 'qmsum', cases: meetings() },
  { set: 'locomo', cases: conversations() },
  { set: 'mcp-catalogs/github', cases: catalogues() },
  { set: 'tau-bench airline', cases: await sessions(recorded('tau-bench/airline.dev.jsonl'), 20) },
  { set: 'swe-traces/lite_test_a', cases: await sessions(recorded('swe-traces/lite_test_a.jsonl'), 12) },
  { set: 'coding-sessions', cases: await sessions(recorded('coding-sessions/pi_sessions.jsonl'), 3) },
]

const bands: Readonly<Record<string, readonly [number, number]>> = compressionBands

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`
}

const rows = sets.flatMap(({ set, cases }) => {
  const { sections, requestsChanged } = compressionMeasures(cases, policy, 128_000)
  return Object.entries(sections).map(([section, measured]) => {
    const [least = 0, most = 1] = bands[section] ?? []
    return {
      set,
      section,
      'band': `${percent(least)} to ${percent(most)}`,
      'packs': String(measured.packs),
      'removed': percent(measured.meanRemoved),
      'of what is shown': percent(measured.meanShortened),
      'most of one item': percent(measured.mostShortened),
      'above': String(measured.above),
      'requests changed': String(requestsChanged),
    }
  })
})
console.log(markdownTable(rows))
