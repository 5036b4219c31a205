import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { argv } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Pool } from 'undici'
import { sessionBodies } from './gateway/bodies.ts'
import type { BodySize } from './gateway/bodies.ts'
import { endChildren, startChild } from './gateway/children.ts'
import { markdownTable } from './markdown-table.ts'
import { soakPlot } from './soak-plot.ts'
import type { SoakSample } from './soak-plot.ts'

/*
 * Our gateway under mixed traffic for a long time, at a steady pace: questions of new sessions, recorded coding agents with
 * and without streams, conversations of 220 KB, and clients that leave before the answer. Memory and latency over time, and
 * memory after so many seconds without a request, before and after it all.
 *
 *   node bench/soak.ts [--minutes 60] [--requests 500000] [--rest 40] [--plot docs/soak.svg] [--built dist]
 *
 * What users run is built: unbuilt, each thread holds Node's compiler of TypeScript besides.
 */

const { values: options } = parseArgs({
  args: argv.slice(2),
  options: {
    minutes: { type: 'string', default: '60' },
    requests: { type: 'string', default: '500000' },
    rest: { type: 'string', default: '40' },
    plot: { type: 'string' },
    built: { type: 'string' },
  },
})

const folder = join(import.meta.dirname, 'gateway')
const upstreamPort = 18_800
const gatewayPort = upstreamPort + 1

/** Who asks: so many clients, each for its share of the requests, one after the other. */
const clients: readonly {
  readonly size: BodySize
  readonly stream: boolean
  readonly count: number
  readonly share: number
}[] = [
  { size: 'small, new sessions', stream: false, count: 8, share: 0.7 },
  { size: 'small, new sessions', stream: true, count: 4, share: 0.1 },
  { size: 'recorded', stream: false, count: 8, share: 0.1 },
  { size: 'recorded', stream: true, count: 8, share: 0.095 },
  { size: '220KB', stream: false, count: 2, share: 0.005 },
]

/** One request in so many is given up as soon as its answer begins. */
const leavesOneIn = 100
const sampleMs = 10_000

const counted = { asked: 0, failed: 0, left: 0 }
let tookMs: number[] = []
const pool = new Pool(`http://127.0.0.1:${gatewayPort}`, { connections: 64, pipelining: 1 })

async function ask(body: string, stream: boolean, leaves: boolean): Promise<void> {
  const headers = { 'content-type': 'application/json', ...(stream && { 'x-bench': 'stream' }) }
  const startedMs = performance.now()
  counted.asked += 1
  try {
    const answer = await pool.request({ path: '/v1/chat/completions', method: 'POST', headers, body })
    if (answer.statusCode !== 200) counted.failed += 1
    if (leaves) {
      counted.left += 1
      answer.body.on('error', () => undefined).destroy()
      return
    }
    await answer.body.dump({ limit: 1_000_000 })
    tookMs.push(performance.now() - startedMs)
  } catch {
    if (!leaves) counted.failed += 1
  }
}

/** Asks at a steady pace, later where the gateway is behind. */
async function client(
  next: () => string,
  { stream, everyMs, untilMs }: { stream: boolean; everyMs: number; untilMs: number },
): Promise<void> {
  let dueMs = performance.now() + Math.random() * everyMs
  while (dueMs < untilMs) {
    await sleep(Math.max(0, dueMs - performance.now()))
    await ask(next(), stream, counted.asked % leavesOneIn === 0)
    dueMs += everyMs
  }
}

function sample(pid: number, startedMs: number): SoakSample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const sorted = tookMs.toSorted((a, b) => a - b)
  tookMs = []
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN
  return {
    minutes: (performance.now() - startedMs) / 60_000,
    requests: counted.asked,
    residentMb: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1000,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
  }
}

try {
  await startChild(join(folder, 'upstream.child.ts'), [String(upstreamPort)])
  const main = join(resolve(options.built ?? 'src'), options.built === undefined ? 'cli/main.ts' : 'cli/main.js')
  const data = mkdtempSync(join(tmpdir(), 'prehend-soak-'))
  const places = ['--port', String(gatewayPort), '--data', data]
  const upstream = `openai=http://127.0.0.1:${upstreamPort}/v1`
  // As users start it: it says itself how much its process may keep.
  const gateway = await startChild(main, ['serve', ...places, '--upstream', upstream], { readyText: 'Ctrl-C' })
  const pid = gateway.pid ?? 0
  const totalMs = Number(options.minutes) * 60_000
  const restMs = Number(options.rest) * 1000
  await sleep(restMs)
  const startedMs = performance.now()
  const samples: SoakSample[] = [sample(pid, startedMs)]
  const timer = setInterval(() => {
    const now = sample(pid, startedMs)
    samples.push(now)
    if (samples.length % 6 === 0) console.error(JSON.stringify({ ...now, ...counted }))
  }, sampleMs)
  await Promise.all(
    clients.flatMap(({ size, stream, count, share }, kind) =>
      Array.from({ length: count }, (_, index) =>
        client(sessionBodies({ size, stream, seed: kind * 100 + index }), {
          stream,
          everyMs: (totalMs * count) / (share * Number(options.requests)),
          untilMs: startedMs + totalMs,
        }),
      ),
    ),
  )
  clearInterval(timer)
  const quarter = Math.ceil(samples.length / 4)
  const rows = [0, 1, 2, 3].map((part) => {
    const of = samples.slice(Math.max(1, part * quarter), (part + 1) * quarter)
    const most = (read: (one: SoakSample) => number): string => Math.max(...of.map(read)).toFixed(0)
    const median = (read: (one: SoakSample) => number): string =>
      (of.map(read).toSorted((a, b) => a - b)[of.length >> 1] ?? Number.NaN).toFixed(1)
    return {
      'minutes': `${of[0]?.minutes.toFixed(0)} to ${of.at(-1)?.minutes.toFixed(0)}`,
      'requests so far': String(of.at(-1)?.requests),
      'resident MB, median and most': `${median((one) => one.residentMb)}, ${most((one) => one.residentMb)}`,
      'p50 ms': median((one) => one.p50Ms),
      'p99 ms': median((one) => one.p99Ms),
    }
  })
  console.log(markdownTable(rows))
  if (options.plot !== undefined) writeFileSync(options.plot, soakPlot(samples))
  console.log(`\n${counted.asked} requests, ${counted.failed} failed, ${counted.left} left by their clients`)
  await sleep(restMs)
  const [before, after] = [samples[0], sample(pid, startedMs)].map((one) => one?.residentMb.toFixed(0))
  console.log(`at rest: ${before} MB before, ${after} MB after`)
} finally {
  await pool.destroy()
  endChildren()
}
