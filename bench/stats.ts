// How fast a gateway tells of a million requests: `npm run bench -- stats [--requests N]`, and on the store that it leaves in --data again.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import { openGateway, parseConfig } from '../src/gateway/index.ts'
import { figuresSum, oneLatency, sqliteStore, threadedSqliteStore } from '../src/stores/index.ts'

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== 'stats'),
  options: {
    requests: { type: 'string', default: '1000000' },
    data: { type: 'string' },
    times: { type: 'string', default: '40' },
  },
})
const requests = Number(values.requests)
const perSession = 50
const hourMs = 3_600_000
const beganMs = Date.UTC(2026, 9, 20)
const models = ['claude-sonnet-4-6', 'gpt-5.1', 'gemini-3.5-flash', 'deepseek-chat']
const policies = ['careful', 'thrifty']

/** A request in ten thousandths of a month. */
function facts(index: number) {
  const model = models[index % models.length] ?? ''
  const policy = policies[index % 7 === 0 ? 1 : 0] ?? ''
  const atMs = beganMs + Math.floor((index / requests) * 30 * 24) * hourMs + (index % 3_600) * 1000
  const inputTokens = 4000 + ((index * 7919) % 60_000)
  const cacheReadTokens = Math.floor(inputTokens * 0.8)
  const usd = inputTokens * 1e-6
  return { model, policy, atMs, inputTokens, cacheReadTokens, usd, isFailed: index % 97 === 0 }
}

function written(index: number) {
  const { model, policy, inputTokens, cacheReadTokens, usd, isFailed } = facts(index)
  const record = {
    epoch: index % 9,
    decision: 'hold',
    cause: 'nothing-to-do',
    rewriteCost: 12_000,
    savingPerTurn: 800,
    expectedTurns: 12,
    credit: 3000,
  }
  const sectionTokens = { role: 900, tools: 2400, history: inputTokens - 3300 }
  const head = {
    dialect: 'anthropic-messages',
    mode: 'on',
    model,
    policyId: policy,
    outcome: 'ok',
    epoch: index % 9,
    epochRecord: record,
    sectionTokens,
    originalTokens: inputTokens * 2,
    packTokens: inputTokens,
  }
  const manifest = {
    schema: 'prehend.manifest/1',
    packHash: 'p'.repeat(64),
    inputHash: 'i'.repeat(64),
    policyId: policy,
    policyVersion: '1.0.0',
    signals: {},
    decisions: [],
    sections: [],
    truncations: [],
    windowTokens: 200_000,
  }
  const usage = { inputTokens, outputTokens: 400, cacheReadTokens, cacheWriteTokens: 500 }
  const cost = { inputTokens, passThroughTokens: inputTokens * 2, usd, passThroughUsd: usd * 1.6 }
  const result = {
    status: isFailed ? 529 : 200,
    usage,
    cost,
    rehydrations: 0,
    upstreamMs: 2400.5,
    overheadMs: 1 + (index % 40) / 4,
    layers: [{ name: 'session', ms: 3.5 }],
  }
  return { head, manifest, result }
}

function at(values_: number[], share: number): string {
  const sorted = values_.toSorted((a, b) => a - b)
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1).padStart(8)
}

/** Rows as a month of traffic leaves them, in one transaction. */
function fill(path: string): void {
  const db = new DatabaseSync(path)
  db.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -400000; BEGIN')
  const session = db.prepare(
    'INSERT INTO sessions (id, tenant, name, lane, version, used_ms) VALUES (?, ?, ?, ?, 50, ?)',
  )
  const cost = db.prepare('INSERT INTO costs VALUES (?, ?, ?, ?, ?, ?, ?)')
  const handle = db.prepare('INSERT INTO handles VALUES (?, ?, ?, 1, ?)')
  const receipt =
    db.prepare(`INSERT INTO receipts (sequence, tenant, session_id, request_id, pack_id, created_ms, head, model, policy, manifest)
    VALUES (?, 'default', ?, ?, ?, ?, ?, ?, ?, ?)`)
  const result = db.prepare('INSERT INTO results (sequence, result, failed) VALUES (?, ?, ?)')
  const rollup = db.prepare("INSERT INTO rollups VALUES ('default', ?, ?, ?, ?)")
  const sums = new Map<
    string,
    { readonly key: readonly [number, string, string]; readonly sum: ReturnType<typeof figuresSum> }
  >()
  for (let index = 0; index < requests; index += 1) {
    // The first session is as long as one may be.
    const id = index < 10_000 ? 1 : 2 + Math.floor((index - 10_000) / perSession)
    const { model, policy, atMs, inputTokens, cacheReadTokens, usd, isFailed } = facts(index)
    const { head, manifest, result: told } = written(index)
    if (index === 0 || (index >= 10_000 && (index - 10_000) % perSession === 0)) {
      const count = id === 1 ? 10_000 : perSession
      session.run(id, 'default', `session-${id}`, 'main', beganMs + Math.floor((index / requests) * 720) * hourMs)
      cost.run(id, count, count, 1e6, 2e6, 1, 1.6)
      for (let number = 0; number < 3; number += 1)
        handle.run('default', String(100_000_000_000 + id * 7 + number), id, '{}')
    }
    receipt.run(
      index + 1,
      id,
      `req_${index.toString(36).padStart(8, '0')}`,
      `pack-${(index * 2_654_435_761) % 2 ** 32}`,
      atMs,
      JSON.stringify(head),
      model,
      policy,
      JSON.stringify(manifest),
    )
    result.run(index + 1, JSON.stringify(told), isFailed ? 1 : 0)
    const key = [Math.floor(atMs / hourMs) * hourMs, model, policy] as const
    const before = sums.get(key.join()) ?? { key, sum: figuresSum() }
    const one = {
      requests: 1,
      errors: isFailed ? 1 : 0,
      priced: 1,
      reported: 1,
      inputTokens,
      cacheReadTokens,
      usd,
      passThroughUsd: usd * 1.6,
      overhead: oneLatency(told.overheadMs),
    }
    before.sum.add(one)
    sums.set(key.join(), before)
  }
  for (const { key, sum } of sums.values()) rollup.run(...key, JSON.stringify(sum.figures()))
  db.exec('COMMIT')
  db.close()
}

const folder = values.data ?? mkdtempSync(join(tmpdir(), 'prehend-stats-'))
const path = join(folder, 'prehend.sqlite')
const fresh = sqliteStore({ path })
const isFilled = (await fresh.read('receipts').list('default', { limit: 1 })).length > 0
await fresh.close()
if (!isFilled) fill(path)

const store = await threadedSqliteStore({ path })
const gateway = await openGateway(
  parseConfig({
    port: 0,
    threads: 0,
    retention: { sessionIdleDays: 3650, receiptDays: 3650, maxReceipts: 10_000_000 },
  }),
  { store },
)
const long = { model: 'claude-sonnet-4-6', max_tokens: 10, messages: [] as unknown[] }
for (let turn = 0; turn < 60; turn += 1) {
  const text = Array.from(
    { length: 120 },
    (_, line) => `src/module-${turn}/file-${line}.ts: export const value = ${line * turn}`,
  ).join('\n')
  long.messages.push(
    {
      role: 'user',
      content:
        turn === 0 ? 'Find the value.' : [{ type: 'tool_result', tool_use_id: `toolu_${turn - 1}`, content: text }],
    },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: `toolu_${turn}`, name: 'read', input: { path: `f${turn}` } }],
    },
  )
}
long.messages.pop()
const answer = await fetch(`${gateway.url}/v1/messages`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', 'x-session-id': 'real' },
  body: JSON.stringify(long),
})
await answer.text()
const own = answer.headers.get('x-prehend-request-id') ?? ''
const month = new Date(beganMs).toISOString()
const asked: Readonly<Record<string, string>> = {
  'overview, a month by day and model': `/v1/stats?by=day,model&since=${month}`,
  'overview, all by hour': '/v1/stats?by=hour',
  'sessions, the newest': '/v1/sessions',
  'requests, the newest': '/v1/packs',
  'requests that failed': '/v1/packs?failed=true',
  'requests of a rare policy and a model': '/v1/packs?policy=thrifty&model=deepseek-chat',
  'requests of a day long ago': `/v1/packs?since=${month}&until=${new Date(beganMs + 24 * hourMs).toISOString()}`,
  'a session of 50 requests': '/v1/sessions/session-100',
  'a session of 10,000 requests': '/v1/sessions/session-1',
  'an outline of 10,000 requests': '/v1/sessions/session-1/outline',
  'a page of the timeline in its midst': '/v1/sessions/session-1/timeline?after=5000&limit=100',
  'a timeline of 500 of 10,000': '/v1/sessions/session-1/timeline',
  'a request, its receipt': `/v1/packs/${own}`,
  'a request, as the model saw it': `/v1/packs/${own}/view`,
  'a request, its bytes': `/v1/packs/${own}/bytes`,
  'search for a name': '/v1/search?q=session-90',
  'search for a request': '/v1/search?q=req_000a',
}
console.log(
  `${requests} requests, ${Math.floor((requests - 10_000) / perSession) + 1} sessions; milliseconds over HTTP, ${values.times} times; work: of all threads, client included`,
)
for (const [name, path_] of Object.entries(asked)) {
  const times: number[] = []
  const works: number[] = []
  let first = 0
  for (let time = 0; time < Number(values.times) + 2; time += 1) {
    const began = performance.now()
    const before = process.cpuUsage()
    const response = await fetch(gateway.url + path_)
    const { length } = await response.text()
    if (!response.ok || length < 20) throw new Error(`${path_}: ${response.status}`)
    const { user, system } = process.cpuUsage(before)
    if (time === 0) first = performance.now() - began
    if (time < 2) continue
    times.push(performance.now() - began)
    works.push((user + system) / 1000)
  }
  const work = `work ${at(works, 0.5)}`
  console.log(
    `${name.padEnd(42)} first ${at([first], 0)}   least ${at(times, 0)}   p50 ${at(times, 0.5)}   p95 ${at(times, 0.95)}   ${work}`,
  )
}
await gateway.close(0)
await store.close()
if (values.data === undefined) rmSync(folder, { recursive: true })
