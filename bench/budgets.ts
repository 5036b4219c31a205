// What it costs to reserve a call and to settle it, in process and in Redis: percentiles in milliseconds.
import { inProcessHot } from '../src/stores/index.ts'
import type { AccountEntry, Hot } from '../src/stores/index.ts'
import { redisHot } from '../src/stores/remote/index.ts'
import { startRedis } from '../servers/redis.ts'
import { markdownTable } from './markdown-table.ts'

/** The accounts of a tenant, a team and a key: three units by day and by month, and two limits by minute. */
function entriesOf(scopes: number): readonly AccountEntry[] {
  const periods = [
    '2026-11-27|nanoUsd',
    '2026-11-27|tokens',
    '2026-11-27|requests',
    '2026-11|nanoUsd',
    '2026-11|tokens',
  ]
  const all = [...periods, '2026-11|requests', '2026-11-27T12:00|requests', '2026-11-27T12:00|tokens']
  return ['tenant', 'team%3Aweb', 'key%3Aci']
    .slice(0, scopes)
    .flatMap((scope) =>
      all.map((account) => ({ account: `${scope}|${account}`, amount: 123_456, most: 1e15, ttlMs: 86_400_000 })),
    )
}

const owner = { owner: 'bench', ownerMs: 30_000, graceMs: 0 }
const reservations = 5000

interface Took {
  readonly reserve: number[]
  readonly settle: number[]
}

async function took(hot: Hot, scopes: number, atOnce: number): Promise<Took> {
  const ledger = `bench ${scopes} ${atOnce}`
  await hot.announce(ledger, owner, [])
  const { epoch = '', settlements = 0 } = (await hot.ledger(ledger)) ?? {}
  await hot.confirm(ledger, { epoch, settlements, sums: [], recorded: [] })
  const times: Took = { reserve: [], settle: [] }
  const entries = entriesOf(scopes)
  const spent = entries.map(({ account, amount, ttlMs }) => ({ account, amount, ttlMs }))
  let next = 0
  const work = async (): Promise<void> => {
    while (next < reservations) {
      const id = `r${(next += 1)}`
      const startedMs = performance.now()
      const { outcome } = await hot.reserve(ledger, { ...owner, id, entries })
      const reservedMs = performance.now()
      if (outcome !== 'granted') throw new Error(`a reservation was ${outcome}`)
      await hot.settle(ledger, { id, spent })
      times.reserve.push(reservedMs - startedMs)
      times.settle.push(performance.now() - reservedMs)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return times
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
  for (const scopes of [1, 3])
    for (const atOnce of name === 'Redis' ? [1, 16, 64] : [1]) {
      const { reserve, settle } = await took(hot, scopes, atOnce)
      rows.push({
        'where': name,
        'scopes (accounts)': `${scopes} (${entriesOf(scopes).length})`,
        'at once': String(atOnce),
        'reserve p50, ms': at(reserve, 0.5),
        'p95': at(reserve, 0.95),
        'settle p95': at(settle, 0.95),
      })
    }
await redis.close()
await server.stop()
console.log(markdownTable(rows))
