// Asks one target as often as it can for a while, over a number of connections; prints what it measured as JSON.
import { Pool } from 'undici'
import { sessionBodies } from './bodies.ts'
import type { BodySize } from './bodies.ts'

interface LoadOptions {
  readonly origin: string
  readonly headers: Record<string, string>
  readonly connections: number
  readonly seconds: number
  readonly size: BodySize
  readonly stream: boolean
  readonly seed: number
}

const options = JSON.parse(process.argv[2] ?? '{}') as LoadOptions
const pool = new Pool(options.origin, { connections: options.connections, pipelining: 1 })
const firstMs: number[] = []
const wholeMs: number[] = []
let failed = 0

function ask(body: string): Promise<void> {
  return new Promise((done) => {
    const headers = {
      'content-type': 'application/json',
      ...options.headers,
      ...(options.stream && { 'x-bench': 'stream' }),
    }
    const startedMs = performance.now()
    let first = 0
    pool.dispatch(
      { path: '/v1/chat/completions', method: 'POST', headers, body },
      {
        onRequestStart: () => undefined,
        onResponseStart(_controller, status) {
          if (status !== 200) failed += 1
        },
        onResponseData() {
          first ||= performance.now() - startedMs
        },
        onResponseEnd() {
          firstMs.push(first)
          wholeMs.push(performance.now() - startedMs)
          done()
        },
        onResponseError() {
          failed += 1
          done()
        },
      },
    )
  })
}

const bodies = Array.from({ length: options.connections }, (_, index) =>
  sessionBodies({ size: options.size, stream: options.stream, seed: options.seed * 1000 + index }),
)

async function worker(next: () => string, untilMs: number): Promise<void> {
  while (performance.now() < untilMs) await ask(next())
}

// Agents are met in the middle of their work: the first request of each is not measured, those of later sessions are.
await Promise.all(bodies.map((next) => ask(next())))
firstMs.length = 0
wholeMs.length = 0
const beganMs = performance.now()
await Promise.all(bodies.map((next) => worker(next, beganMs + options.seconds * 1000)))
const elapsed = (performance.now() - beganMs) / 1000
const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
const [first, whole] = [firstMs, wholeMs].map((values) => values.toSorted((a, b) => a - b))
console.log(
  JSON.stringify({
    requests: wholeMs.length,
    failed,
    perSecond: wholeMs.length / elapsed,
    p50Ms: at(whole ?? [], 0.5),
    p95Ms: at(whole ?? [], 0.95),
    p99Ms: at(whole ?? [], 0.99),
    firstP50Ms: at(first ?? [], 0.5),
  }),
)
await pool.close()
