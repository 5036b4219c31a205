import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePort } from '../scripts/free-port.ts'
import type { BodySize } from './gateway/bodies.ts'
import { endChildren, startChild } from './gateway/children.ts'
import { markdownTable } from './markdown-table.ts'

/*
 * `prehend serve` with one and with two processes, before a provider that answers at once: requests per second, and how long one takes. Both
 * take turns within each round. Load generator and provider are processes on the same machine.
 *
 *   npm run -s bench -- workers
 */

const rounds = 5
const seconds = 3
const warmSeconds = 5
const sizes: readonly BodySize[] = ['small', 'recorded']
const connections = [1, 32]

interface Target {
  readonly workers: number
  readonly origin: string
}

interface Measured {
  readonly failed: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p95Ms: number
}

interface Setting {
  readonly size: BodySize
  readonly connections: number
}

const folder = mkdtempSync(join(tmpdir(), 'prehend-workers-'))
const here = join(import.meta.dirname, 'gateway')

async function startTarget(workers: number, upstream: string): Promise<Target> {
  const port = await freePort()
  const data = join(folder, `with-${workers}`)
  const config = join(folder, `with-${workers}.json`)
  writeFileSync(config, JSON.stringify({ upstreams: { openai: { baseUrl: `${upstream}/v1`, apiKey: 'bench' } } }))
  const options = ['--port', String(port), '--data', data, '--config', config, '--workers', String(workers)]
  await startChild(resolve(import.meta.dirname, '../src/cli/main.ts'), ['serve', ...options], {
    readyText: 'Gateway on',
  })
  return { workers, origin: `http://127.0.0.1:${port}` }
}

interface Load extends Setting {
  readonly origin: string
  readonly seed: number
  readonly seconds: number
}

async function load(given: Load): Promise<Measured> {
  const asked = JSON.stringify({ ...given, headers: { authorization: 'Bearer bench' }, stream: false })
  const child = spawn(process.execPath, [join(here, 'load.child.ts'), asked], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (data: Buffer) => void (output += data.toString()))
  await new Promise<void>((done) => child.on('close', () => done()))
  return JSON.parse(output) as Measured
}

let seeds = 0

async function measured(targets: readonly Target[], setting: Setting): Promise<ReadonlyMap<Target, Measured[]>> {
  const results = new Map<Target, Measured[]>(targets.map((target) => [target, []]))
  for (let round = 0; round <= rounds; round += 1) {
    seeds += 1
    for (const target of targets) {
      const run = await load({ ...setting, origin: target.origin, seed: seeds, seconds: round === 0 ? 1 : seconds })
      if (round > 0) results.get(target)?.push(run)
    }
  }
  return results
}

function spread(runs: readonly Measured[], member: keyof Measured, digits: number): string {
  const sorted = runs.map((run) => run[member]).toSorted((a, b) => a - b)
  const shown = (number = Number.NaN): string => number.toFixed(digits)
  return `${shown(sorted[Math.floor(sorted.length / 2)])} (${shown(sorted[0])}-${shown(sorted.at(-1))})`
}

try {
  const upstreamPort = await freePort()
  await startChild(join(here, 'upstream.child.ts'), [String(upstreamPort)])
  const targets: Target[] = []
  for (const workers of [1, 2]) targets.push(await startTarget(workers, `http://127.0.0.1:${upstreamPort}`))
  for (const { origin } of targets)
    await load({ origin, size: 'small, new sessions', connections: 32, seed: 1000, seconds: warmSeconds })
  const rows: Record<string, string>[] = []
  for (const size of sizes)
    for (const count of connections)
      for (const [{ workers }, runs] of await measured(targets, { size, connections: count }))
        rows.push({
          'body': size,
          'connections': String(count),
          '`--workers`': String(workers),
          'requests/s': spread(runs, 'perSecond', 0),
          'p50 ms': spread(runs, 'p50Ms', 2),
          'p95 ms': spread(runs, 'p95Ms', 2),
          'failed': String(runs.reduce((sum, run) => sum + run.failed, 0)),
        })
  console.log(markdownTable(rows))
} finally {
  endChildren()
  rmSync(folder, { recursive: true, force: true })
}
