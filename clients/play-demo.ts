import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort } from '../scripts/free-port.ts'
import type { ReceiptSummary, SessionSummary } from '../src/stores/index.ts'
import { addedCost, savingsOf } from '../src/stores/index.ts'
import type { Client, Demo } from './client.ts'
import { baseVariables, commitAll, foldersIn, prehend } from './play.ts'
import { programIn } from './program-in.ts'
import { receiptsIn } from './receipts.ts'
import { runProcess } from './run-process.ts'

/** What came of the demonstration that README names, played to an agent as people run it. */
export interface DemoOutcome {
  readonly requests: number
  readonly model: string
  /** Of the money of the agent's own requests, as `prehend sessions` shows it; where no price is known, of the tokens. */
  readonly saved: number
  /** What packing saved of the same requests with our cache marks. */
  readonly byPacking: number
  readonly isMoney: boolean
  readonly problems: readonly string[]
}

interface Settings {
  readonly installed: string
  /** An empty folder of its own. */
  readonly place: string
  readonly timeoutMs: number
}

const prompt = 'Do the job.'
const leastRequests = 40
/** Every agent saves more; one that saves less than this has nothing to show. */
const leastSaved = 0.1

/** `prehend wrap --script example AGENT`, at default settings, in a repository and a home folder of its own. */
export async function playDemo(client: Client, demo: Demo, settings: Settings): Promise<DemoOutcome> {
  const { installed, place, timeoutMs } = settings
  const { home, folder, bin } = foldersIn(place)
  const data = join(place, 'data')
  const env = { ...baseVariables(home, bin), ...client.variables, ...demo.variables }
  commitAll(folder, env)
  symlinkSync(programIn(client, installed), join(bin, client.program))
  const port = String(await freePort())
  for (const [name, text] of Object.entries(demo.files ?? client.files ?? {})) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), text.replaceAll('{url}', `http://127.0.0.1:${port}`))
  }
  const options = ['--data', data, '--port', port, '--script', 'example']
  const args = [prehend, 'wrap', ...options, '--', client.program, ...demo.args(prompt)]
  const ended = await runProcess(process.execPath, args, { cwd: folder, timeoutMs, env })
  writeFileSync(join(place, 'output.txt'), ended.output)
  return outcomeOf({ ended, folder, data, env })
}

interface DemoRun {
  readonly ended: { readonly code: number; readonly output: string }
  readonly folder: string
  readonly data: string
  readonly env: Readonly<Record<string, string>>
}

function outcomeOf({ ended: { code, output }, folder, data, env }: DemoRun): DemoOutcome {
  const shown = execFileSync(process.execPath, [prehend, 'sessions', '--json', '--data', data], { encoding: 'utf8' })
  const { sessions } = JSON.parse(shown) as { readonly sessions: readonly SessionSummary[] }
  const costs = sessions.map(({ cost }) => cost)
  const cost = costs.length === 0 ? undefined : costs.reduce(addedCost)
  const { receipts, problems } = receiptsIn(data)
  const isMoney = cost !== undefined && cost.priced === cost.requests
  const [with_ = 0, without = 0] = isMoney
    ? [cost.usd, cost.passThroughUsd]
    : [cost?.inputTokens, cost?.passThroughTokens]
  const byPacking = without === 0 ? 0 : (without - with_) / without
  const saved = isMoney ? (savingsOf(cost).share ?? 0) : byPacking
  const requests = Math.max(0, ...costs.map((each) => each.requests))
  const changed = execFileSync('git', ['status', '--short'], { cwd: folder, env, encoding: 'utf8' }).trim()
  const wrong: readonly (readonly [boolean, string])[] = [
    [code !== 0, `it ended with ${code}:\n${output.slice(-3000)}`],
    [requests < leastRequests, `${requests} requests, and not ${leastRequests}`],
    [changed !== '?? prehend-demo/', `other files were changed than those of the demonstration: ${changed}`],
    [!isMended(folder), 'the bugs of the example are not mended'],
    [!/What came of it: .*\d+ passed, 0 failed/.test(output), 'the last words do not say that the tests pass'],
    [byPacking < leastSaved, `packing saved only ${(100 * byPacking).toFixed(1)}%`],
  ]
  const own = wrong.flatMap(([is, what]) => (is ? [what] : []))
  return { requests, model: usualModel(receipts), saved, byPacking, isMoney, problems: [...own, ...problems] }
}

/** The model of most requests; agents ask others for titles and the like. */
function usualModel(receipts: readonly ReceiptSummary[]): string {
  const names = receipts.flatMap(({ model }) => model ?? [])
  const times = (name: string): number => names.filter((other) => other === name).length
  return names.toSorted((a, b) => times(b) - times(a))[0] ?? ''
}

function isMended(folder: string): boolean {
  const source = (name: string): string => {
    const path = join(folder, 'prehend-demo/src', name)
    return existsSync(path) ? readFileSync(path, 'utf8') : ''
  }
  return source('weight.mjs').includes('limit >= grams') && source('discount.mjs').includes('count >= parcels')
}
