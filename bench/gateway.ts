import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { argv } from 'node:process'
import { parseArgs } from 'node:util'
import type { BodySize } from './gateway/bodies.ts'
import { endChildren, startChild } from './gateway/children.ts'
import type { ChildOptions } from './gateway/children.ts'
import { markdownTable } from './markdown-table.ts'

/*
 * Requests per second and added latency of our gateway, beside a bare undici proxy, one that keeps records besides, and
 * Portkey's gateway, over the same upstream on the same machine. Every process apart; targets take turns within each round.
 *
 *   (cd bench/peers && npm install)
 *   node bench/gateway.ts [--rounds 5] [--seconds 3] [--warm 6] [--sizes 'small;220KB'] [--targets direct,floor,recorder,prehend,prehend:off] [--memory N]
 *   node bench/gateway.ts --beside '4 x 170K tokens;2 x 170K tokens, new sessions'
 */

interface Measured {
  readonly requests: number
  readonly failed: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  readonly firstP50Ms: number
}

interface Target {
  readonly name: string
  readonly origin: string
  readonly headers: Readonly<Record<string, string>>
}

interface Setting {
  readonly size: BodySize
  readonly connections: number
  readonly stream: boolean
}

const folder = join(import.meta.dirname, 'gateway')
const portkey = join(import.meta.dirname, 'peers/node_modules/@portkey-ai/gateway/build/start-server.js')
const upstreamPort = 18_700
const upstreamOrigin = `http://127.0.0.1:${upstreamPort}`

const { values: options } = parseArgs({
  args: argv.slice(2),
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '3' },
    warm: { type: 'string', default: '6' },
    sizes: { type: 'string', default: 'small;small, new sessions;220KB;100K tokens;recorded' },
    targets: { type: 'string', default: 'direct,floor,prehend,portkey' },
    connections: { type: 'string', default: '1,32' },
    memory: { type: 'string' },
    beside: { type: 'string' },
  },
})

/** As `serve` starts itself, see `cli/lean-start.ts`. */
const asServed: ChildOptions = {
  flags: ['--max-semi-space-size=32'],
  variables: { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '1048576' },
}

async function startTargets(names: readonly string[]): Promise<Target[]> {
  await startChild(join(folder, 'upstream.child.ts'), [String(upstreamPort)])
  const targets: Target[] = []
  for (const [index, name] of names.entries()) {
    const port = upstreamPort + 1 + index
    const origin = `http://127.0.0.1:${port}`
    const headers = { authorization: 'Bearer bench' }
    if (name === 'direct') targets.push({ name, origin: upstreamOrigin, headers })
    else if (name === 'portkey') targets.push(...(await startPortkey(port)))
    else {
      const [kind = '', mode = 'on', store = 'thread', threads = '', layer = ''] = name.split(':')
      const args = [String(port), upstreamOrigin, mode, store, threads, layer]
      await startChild(join(folder, `${kind}.child.ts`), args, kind === 'prehend' ? asServed : {})
      targets.push({ name, origin, headers })
    }
  }
  return targets
}

async function startPortkey(port: number): Promise<Target[]> {
  if (!existsSync(portkey)) {
    console.log('portkey: not run; install it with (cd bench/peers && npm install)\n')
    return []
  }
  await startChild(portkey, [`--port=${port}`, '--headless'], { readyText: 'Ready' })
  const headers = {
    'authorization': 'Bearer bench',
    'x-portkey-provider': 'openai',
    'x-portkey-custom-host': `${upstreamOrigin}/v1`,
  }
  return [{ name: 'portkey', origin: `http://127.0.0.1:${port}`, headers }]
}

async function load(target: Target, setting: Setting, seed: number, seconds: number): Promise<Measured> {
  const args = JSON.stringify({ ...target, ...setting, seed, seconds })
  const child = spawn(process.execPath, [join(folder, 'load.child.ts'), args], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (data: Buffer) => void (output += data.toString()))
  await new Promise<void>((done) => child.on('close', () => done()))
  return JSON.parse(output) as Measured
}

let seeds = 0

/** Conversations that no target has been asked before: nobody holds each of them twice, once with streams and once without. */
function newSeed(): number {
  seeds += 1
  return seeds
}

/** What is measured are processes that have been running for a while: engines optimise what runs often. */
async function warmUp(targets: readonly Target[]): Promise<void> {
  for (const target of targets)
    for (const stream of [false, true])
      await load(target, { size: 'small, new sessions', connections: 32, stream }, newSeed(), Number(options.warm))
}

async function measure(targets: readonly Target[], setting: Setting): Promise<Map<string, Measured[]>> {
  const results = new Map<string, Measured[]>(targets.map(({ name }) => [name, []]))
  const seed = newSeed()
  for (const target of targets) await load(target, setting, seed, 1)
  for (let round = 1; round <= Number(options.rounds); round += 1) {
    const own = newSeed()
    for (const target of targets)
      results.get(target.name)?.push(await load(target, setting, own, Number(options.seconds)))
  }
  return results
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

function spread(numbers: readonly number[], digits: number): string {
  const sorted = numbers.toSorted((a, b) => a - b)
  return `${median(numbers).toFixed(digits)} (${sorted[0]?.toFixed(digits)}-${sorted.at(-1)?.toFixed(digits)})`
}

function rowsOf(setting: Setting, results: ReadonlyMap<string, readonly Measured[]>): Record<string, string>[] {
  const of = (name: string, member: keyof Measured): number =>
    median((results.get(name) ?? []).map((run) => run[member]))
  return [...results].map(([name, runs]) => ({
    'body': setting.size,
    'reply': setting.stream ? 'stream' : 'JSON',
    'connections': String(setting.connections),
    'target': name,
    'requests/s': spread(
      runs.map((run) => run.perSecond),
      0,
    ),
    'of floor': `${((100 * of(name, 'perSecond')) / of('floor', 'perSecond')).toFixed(0)}%`,
    'p50 ms': spread(
      runs.map((run) => run.p50Ms),
      2,
    ),
    'p95 ms': spread(
      runs.map((run) => run.p95Ms),
      2,
    ),
    'added p50 ms': (of(name, 'p50Ms') - of('direct', 'p50Ms')).toFixed(2),
    'first byte p50 ms': spread(
      runs.map((run) => run.firstP50Ms),
      2,
    ),
    'added first byte ms': (of(name, 'firstP50Ms') - of('direct', 'firstP50Ms')).toFixed(2),
    'failed': String(runs.reduce((sum, run) => sum + run.failed, 0)),
  }))
}

/** A small request, one at a time, while agents ask for much as often as they can. */
async function measureBeside(targets: readonly Target[], beside: string): Promise<Record<string, string>[]> {
  const [agents = '', size = ''] = beside.split(' x ')
  const large: Setting = { size: size as BodySize, connections: Number(agents), stream: false }
  const small: Setting = { size: 'small, new sessions', connections: 1, stream: false }
  const seconds = Number(options.seconds)
  const rows: Record<string, string>[] = []
  const rounds = new Map<string, [small: Measured, large: Measured][]>(targets.map(({ name }) => [name, []]))
  for (let round = 1; round <= Number(options.rounds); round += 1) {
    const seed = newSeed()
    for (const target of targets) {
      const asking = load(target, large, seed, seconds + 3)
      await new Promise((done) => setTimeout(done, 2000))
      const asked = await load(target, small, seed, seconds)
      rounds.get(target.name)?.push([asked, await asking])
    }
  }
  for (const [target, runs] of rounds) {
    const of = (member: 'p50Ms' | 'p95Ms' | 'p99Ms'): string =>
      spread(
        runs.map(([run]) => run[member]),
        1,
      )
    rows.push({
      beside,
      target,
      'small p50 ms': of('p50Ms'),
      'small p95 ms': of('p95Ms'),
      'small p99 ms': of('p99Ms'),
      'large/s': spread(
        runs.map(([, run]) => run.perSecond),
        1,
      ),
      'large p50 ms': spread(
        runs.map(([, run]) => run.p50Ms),
        0,
      ),
      'failed': String(runs.reduce((sum, [one, other]) => sum + one.failed + other.failed, 0)),
    })
  }
  return rows
}

/** Memory of our gateway while it answers many requests. */
async function measureMemory(requests: number): Promise<void> {
  await startChild(join(folder, 'upstream.child.ts'), [String(upstreamPort)])
  const child = await startChild(join(folder, 'prehend.child.ts'), [String(upstreamPort + 1), upstreamOrigin], asServed)
  child.stdout?.on('data', (data: Buffer) => console.log(data.toString().trim()))
  const target = {
    name: 'prehend',
    origin: `http://127.0.0.1:${upstreamPort + 1}`,
    headers: { authorization: 'Bearer bench' },
  }
  let done = 0
  for (let round = 1; done < requests; round += 1) {
    const { requests: asked } = await load(
      target,
      { size: 'small, new sessions', connections: 32, stream: false },
      round,
      10,
    )
    done += asked
    console.log(`${done} requests`)
    child.kill('SIGUSR2')
  }
  await new Promise((ready) => setTimeout(ready, 500))
}

try {
  if (options.memory !== undefined) await measureMemory(Number(options.memory))
  else if (options.beside !== undefined) {
    const targets = await startTargets(options.targets.split(','))
    await warmUp(targets)
    const rows: Record<string, string>[] = []
    for (const beside of options.beside.split(';')) rows.push(...(await measureBeside(targets, beside)))
    console.log(markdownTable(rows))
  } else {
    const targets = await startTargets(options.targets.split(','))
    const sizes = options.sizes.split(';') as BodySize[]
    const settings = sizes.flatMap((size) =>
      [false, true].flatMap((stream) =>
        options.connections.split(',').map((connections) => ({ size, stream, connections: Number(connections) })),
      ),
    )
    await warmUp(targets)
    const rows: Record<string, string>[] = []
    for (const setting of settings) {
      rows.push(...rowsOf(setting, await measure(targets, setting)))
      console.error(`${setting.size}, ${setting.stream ? 'stream' : 'JSON'}, ${setting.connections}`)
    }
    console.log(markdownTable(rows))
  }
} finally {
  endChildren()
}
