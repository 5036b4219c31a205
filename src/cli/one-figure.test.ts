import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { StrategyReport } from '../inspect/index.ts'
import type { SessionSummary } from '../stores/index.ts'
import { fakeIo } from './fake-io.fixture.ts'
import { runCli } from './run-cli.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

async function run(...argv: readonly string[]): Promise<unknown> {
  const io = fakeIo()
  expect(await runCli([...argv, '--json'], io)).toBe(0)
  return JSON.parse(io.written.out)
}

type Billed = Pick<StrategyReport, 'name' | 'tokens' | 'billRatio' | 'billDollars'>

interface Report {
  readonly provider: string
  readonly strategies: readonly Billed[]
}

/** A policy's part of the bill of sending everything, the answers included. */
function billOf(strategies: readonly Billed[], policy: string): number {
  return strategies.find(({ name }) => name.endsWith(policy))?.billRatio ?? Number.NaN
}

function dollarsOf(strategies: readonly Billed[], policy: string): number {
  return strategies.find(({ name }) => name.endsWith(policy))?.billDollars ?? Number.NaN
}

interface Told {
  readonly start: Report
  readonly sessions: SessionSummary['cost']
  readonly whatIf: { readonly provider: string; readonly totals: readonly Billed[] }
}

/** What `start` tells of the example, its gateway of the same session, and the inspector's What if of that. */
async function started(policy: string, mode = 'on'): Promise<Told> {
  const data = mkdtempSync(join(tmpdir(), 'prehend-one-figure-'))
  folders.push(data)
  const io = fakeIo()
  const done = runCli(['start', '--port', '0', '--data', data, '--policy', policy, '--mode', mode, '--json'], io)
  await expect.poll(() => io.written.out, { timeout: 60_000 }).not.toBe('')
  const { example, url } = JSON.parse(io.written.out) as { example: Report; url: string }
  const session = 'example-fix-stocktake'
  const listed = async () => {
    const { sessions } = (await run('sessions', session, '--url', url)) as { sessions: readonly SessionSummary[] }
    return sessions[0]!.cost
  }
  // What a request cost is filed after its answer.
  await expect.poll(async () => (await listed()).priced, { timeout: 60_000 }).toBe(46)
  const sessions = await listed()
  const wish = { method: 'POST', body: JSON.stringify({ sessions: [session], policies: [policy] }) }
  const headers = { 'content-type': 'application/json' }
  const { id } = (await (await fetch(`${url}/v1/replays`, { ...wish, headers })).json()) as { id: string }
  const replayed = async () =>
    (await (await fetch(`${url}/v1/replays/${id}`)).json()) as Told['whatIf'] & { state: string }
  await expect.poll(async () => (await replayed()).state, { timeout: 60_000 }).toBe('done')
  const whatIf = await replayed()
  io.interrupt()
  expect(await done).toBe(0)
  return { start: example, sessions, whatIf }
}

/**
 * Of the bill. `start`, `replay` and *What if* bill the same requests and agree to the cent of a cent. A gateway in mode `on` knows what it has paid, and works
 * out what sending everything would have cost; in mode `observe` the reverse: its counts of the frames of single messages are means, so that a
 * cache that is read in steps of 128 tokens may come out a step shorter or longer. Hidden rounds, of which this session has none, are in the gateway's bill only:
 * a replay bills them as its settled cost. The gateway's names of handles are longer or shorter by a token.
 */
const rounding = 0.0015

describe.each([
  ['careful', 1e-5],
  ['balanced', 0.003],
] as const)('the example session has one figure: %s', (policy, mostOff) => {
  it('in start, replay, sessions, What if, and in mode observe', async () => {
    const { start, sessions, whatIf } = await started(policy)
    const replayed = (await run('replay', 'examples/session.jsonl')) as Report
    expect([start.provider, replayed.provider, whatIf.provider]).toEqual(['gpt-5.1', 'gpt-5.1', 'gpt-5.1'])
    const said = billOf(start.strategies, policy)
    expect(said).toBeLessThan(0.95)
    expect(billOf(replayed.strategies, policy)).toBe(said)
    expect(start.strategies.map(({ tokens }) => tokens)).toContain(sessions.inputTokens)
    expect(start.strategies.map(({ tokens }) => tokens)).toContain(sessions.passThroughTokens)
    expect(Math.abs(dollarsOf(start.strategies, policy) / sessions.usd - 1)).toBeLessThan(mostOff)
    expect(Math.abs(sessions.usd / sessions.clientUsd - said)).toBeLessThan(rounding)
    expect(billOf(whatIf.totals, policy)).toBe(said)
    const { sessions: observed, whatIf: ofObserved } = await started(policy, 'observe')
    expect(observed.usd).toBe(observed.clientUsd)
    const estimated = observed.ifOnUsd / observed.observedUsd
    expect(Math.abs(estimated - said)).toBeLessThan(rounding)
    expect(Math.abs(estimated - billOf(ofObserved.totals, policy))).toBeLessThan(rounding)
  }, 240_000)
})
