// What it costs to reserve a call and to settle it, in process and in Redis: percentiles in milliseconds.
import { entriesOf } from '../src/gateway/budgets/limit-entries.ts'
import type { BudgetScope } from '../src/gateway/budgets/budgets-of.ts'
import { inProcessHot } from '../src/stores/index.ts'
import type { Hot } from '../src/stores/index.ts'
import { redisHot } from '../src/stores/remote/index.ts'
import { startRedis } from '../servers/redis.ts'
import { markdownTable } from './markdown-table.ts'

const all: readonly BudgetScope[] = [
  {
    kind: 'tenant',
    name: '',
    limits: { usdPerDay: 1e6, usdPerMonth: 1e6, tokensPerMinute: 1e12, requestsPerMinute: 1e12 },
  },
  { kind: 'team', name: 'web', limits: { usdPerDay: 1e6, tokensPerMonth: 1e12 } },
  { kind: 'key', name: 'ci', limits: { usdPerDay: 1e6, requestsPerMinute: 1e12 } },
]
const owner = { owner: 'bench', ownerMs: 30_000, graceMs: 0 }
const reservations = 5000

interface Took {
  readonly reserve: number[]
  readonly settle: number[]
}

async function took(hot: Hot, scopes: readonly BudgetScope[], atOnce: number): Promise<Took> {
  const ledger = `bench ${scopes.length} ${atOnce}`
  await hot.announce(ledger, owner, [])
  const { epoch = '', settlements = 0 } = (await hot.ledger(ledger)) ?? {}
  await hot.confirm(ledger, { epoch, settlements, sums: [], recorded: [] })
  const times: Took = { reserve: [], settle: [] }
  let next = 0
  const work = async (): Promise<void> => {
    while (next < reservations) {
      const id = `r${(next += 1)}`
      const entries = entriesOf(scopes, { nanoUsd: 123_456, tokens: 2345, requests: 1 }, Date.now())
      const startedMs = performance.now()
      const { outcome } = await hot.reserve(ledger, { ...owner, id, entries: entries.map(plain) })
      const reservedMs = performance.now()
      if (outcome !== 'granted') throw new Error(`a reservation was ${outcome}`)
      await hot.settle(ledger, { id, spent: entries.map(plain) })
      times.reserve.push(reservedMs - startedMs)
      times.settle.push(performance.now() - reservedMs)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return times
}

function plain({ account, amount, most, ttlMs }: ReturnType<typeof entriesOf>[number]) {
  return { account, amount, ttlMs, ...(most !== undefined && { most }) }
}

function at(times: readonly number[], share: number): string {
  const sorted = times.toSorted((one, other) => one - other)
  return (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(3)
}

const server = await startRedis()
const redis = await redisHot({ url: server.url })
const rows: Record<string, string>[] = []
for (const [name, hot] of [
  ['in process', inProcessHot()],
  ['Redis', redis],
] as const)
  for (const scopes of [all.slice(0, 1), all])
    for (const atOnce of name === 'Redis' ? [1, 16, 64] : [1]) {
      const { reserve, settle } = await took(hot, scopes, atOnce)
      const accounts = entriesOf(scopes, { nanoUsd: 0, tokens: 0, requests: 0 }, 0).length
      rows.push({
        'where': name,
        'scopes (accounts)': `${scopes.length} (${accounts})`,
        'at once': String(atOnce),
        'reserve p50, ms': at(reserve, 0.5),
        'p95': at(reserve, 0.95),
        'settle p95': at(settle, 0.95),
      })
    }
await redis.close()
await server.stop()
console.log(markdownTable(rows))
