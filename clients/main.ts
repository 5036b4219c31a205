// Runs real clients against the simulated provider, without Prehend and with it, and checks what came of it.
// Then plays the demonstration that README names to each agent as people run it: its own model, default settings; and has an agent use
// the tools of a gateway by `prehend mcp`.
// usage: node clients/main.ts [--write] [--keep] [--demo] [PROGRAM…]
//   --write writes docs/clients.md from the run of all of them; --keep leaves what they did in the temporary folder;
//   --demo plays the demonstration only
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { allClients } from './all-clients.ts'
import { outcomeOf } from './checks.ts'
import type { Client, Demo, TellsMcp } from './client.ts'
import { compileExample } from './compile-example.ts'
import { install } from './install.ts'
import { packageOf, page } from './page.ts'
import type { DemoRow, McpRow, Row } from './page.ts'
import { play, root } from './play.ts'
import { playDemo } from './play-demo.ts'
import { playMcp } from './play-mcp.ts'
import { receiptsIn } from './receipts.ts'

const atOnce = 2
/** All of them are done by then, or fail. */
const mostMs = 20 * 60_000
/** Of one job; on two idle cores the slowest takes a quarter of it. */
const mostOfOneMs = 240_000
const pageFile = join(root, 'docs/clients.md')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    demo: { type: 'boolean', default: false },
  },
})

const chosen = allClients.filter(({ program }) => positionals.length === 0 || positionals.includes(program))
const folder = mkdtempSync(join(tmpdir(), 'prehend-clients-'))
let failures = 0

const installs = new Map<string, Promise<string>>()

/** Clients that are started by the same name are the same program. */
function installedOnce(client: Client): Promise<string> {
  const installed = installs.get(client.program) ?? install(client, join(import.meta.dirname, '.installed'))
  installs.set(client.program, installed)
  return installed
}

function timeLeft(): number {
  const left = mostMs - performance.now()
  if (left <= 0) throw new Error('the time of all of them was over')
  return Math.min(left, mostOfOneMs)
}

/**
 * Plays once more where something was wrong: shells of agents lose the output of a command now and then while a machine is busy, and then the
 * model of the script does other things. What is wrong with us is wrong both times.
 */
async function playedWell<Result>(
  name: string,
  playIn: (name: string) => Promise<readonly [Result, readonly string[]]>,
): Promise<readonly [Result, readonly string[]]> {
  const first = await playIn(name)
  if (first[1].length === 0) return first
  console.log(`     ${name} is played again: ${first[1].join('; ')}`)
  return playIn(`${name}-again`)
}

async function run(client: Client, name: string): Promise<Row> {
  if (client.notRun !== undefined) return { client }
  const place = join(folder, name.replaceAll(/\W+/g, '-'))
  const [without, packed, data] = ['without', 'packed', 'data'].map((part) => join(place, part)) as [
    string,
    string,
    string,
  ]
  for (const each of [without, packed]) mkdirSync(each, { recursive: true })
  const installed = await installedOnce(client)
  const plain = await play(client, { installed, place: without, timeoutMs: timeLeft() })
  const played = await play(client, { installed, place: packed, data, timeoutMs: timeLeft() })
  const { inProcess } = client
  const outcome = outcomeOf(plain, played, { ...receiptsIn(data), isInProcess: inProcess !== undefined })
  const untyped = inProcess === undefined ? [] : await compileExample(inProcess, installed)
  return { client, outcome: { ...outcome, problems: [...outcome.problems, ...untyped] } }
}

/** A client that is known to fail is to fail, so that nobody goes on saying that it does. */
function judged({ client, outcome }: Row): readonly string[] {
  if (client.notRun !== undefined) return []
  const problems = outcome?.problems ?? []
  if (client.fails === undefined) return problems
  return problems.length > 0 ? [] : ['it works, though it is said to fail; say so no longer']
}

async function report(client: Client): Promise<Row> {
  const started = performance.now()
  let row: Row = { client }
  let problems: readonly string[]
  try {
    ;[row, problems] = await playedWell(client.name, async (name) => {
      const played = await run(client, name)
      return [played, judged(played)] as const
    })
  } catch (error) {
    problems = [error instanceof Error ? error.message : String(error)]
  }
  if (problems.length > 0) failures += 1
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(
    `${problems.length > 0 ? 'FAIL' : 'ok  '} ${packageOf(client).padEnd(36)} ${client.dialect.padEnd(18)} ${seconds.padStart(5)} s  ${summary(row)}`,
  )
  for (const problem of problems) console.log(`     ${problem}`)
  return row
}

function summary({ client, outcome }: Row): string {
  if (outcome === undefined) return client.notRun === undefined ? '' : `not run: ${client.notRun}`
  const { turns, tokensWithout, tokensWith, epochs, hiddenCalls } = outcome
  return `${turns} turns, ${tokensWithout} tokens without, ${tokensWith} with, ${epochs} epochs, ${hiddenCalls} hidden calls`
}

interface DemoTask {
  readonly client: Client
  readonly demo: Demo
  readonly version: string
}

/** Plays the demonstration to one version of an agent. */
async function reportDemo({ client, demo, version }: DemoTask): Promise<DemoRow> {
  const started = performance.now()
  const [[name, pinned] = ['', '']] = Object.entries(client.packages)
  const packages = { ...client.packages, [name]: version }
  const row = { client, demo, label: `${name} ${version}` }
  let shown = ''
  let problems: readonly string[]
  let outcome: DemoRow['outcome']
  try {
    const apart = join(import.meta.dirname, '.installed')
    const installed =
      version === pinned
        ? await installedOnce(client)
        : await install({ ...client, packages }, apart, `${client.program}-${version}`)
    ;[outcome, problems] = await playedWell(`${client.program}-${version}-demo`, async (placeName) => {
      const place = join(folder, placeName)
      mkdirSync(place, { recursive: true })
      const played = await playDemo(client, demo, { installed, place, timeoutMs: timeLeft() })
      return [played, played.problems] as const
    })
    const { requests, model, saved, byPacking, isMoney } = outcome
    const [all, packing] = [saved, byPacking].map((share) => `${(100 * share).toFixed(1)}%`)
    shown = `${model}, ${requests} requests, ${all} of the ${isMoney ? 'money' : 'tokens'} saved, ${packing} by packing`
  } catch (error) {
    problems = [error instanceof Error ? error.message : String(error)]
  }
  if (problems.length > 0) failures += 1
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(
    `${problems.length > 0 ? 'FAIL' : 'ok  '} ${row.label.padEnd(36)} demo ${seconds.padStart(5)} s  ${shown}`,
  )
  for (const problem of problems) console.log(`     ${problem}`)
  return { ...row, ...(outcome && { outcome }) }
}

interface McpTask {
  readonly client: Client
  readonly mcp: TellsMcp
}

/** Has an agent use a tool of a gateway's registry by `prehend mcp`. */
async function reportMcp({ client, mcp }: McpTask): Promise<McpRow> {
  const started = performance.now()
  let problems: readonly string[]
  let outcome: McpRow['outcome']
  try {
    const installed = await installedOnce(client)
    ;[outcome, problems] = await playedWell(`${client.program}-mcp`, async (placeName) => {
      const place = join(folder, placeName)
      mkdirSync(place, { recursive: true })
      const played = await playMcp(client, mcp, { installed, place, timeoutMs: timeLeft() })
      return [played, played.problems] as const
    })
  } catch (error) {
    problems = [error instanceof Error ? error.message : String(error)]
  }
  if (problems.length > 0) failures += 1
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const names = outcome?.names.join(', ') ?? ''
  console.log(
    `${problems.length > 0 ? 'FAIL' : 'ok  '} ${packageOf(client).padEnd(36)} mcp ${seconds.padStart(5)} s  ${names}`,
  )
  for (const problem of problems) console.log(`     ${problem}`)
  return { client, ...(outcome && { outcome }) }
}

/** The page names every client with its version; its figures are those of the run that wrote it. */
function pageProblems(): readonly string[] {
  const text = readFileSync(pageFile, 'utf8')
  const missing = allClients.filter((client) => !text.includes(packageOf(client)) || !text.includes(client.pointedBy))
  return missing.map(
    (client) => `docs/clients.md does not tell of ${packageOf(client)} as it is; npm run -s clients -- --write`,
  )
}

// What is under way ends with us.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))

/** Does all of this, a few at a time; what comes of it is in the order of the tasks. */
async function inTurn<Task, Result>(
  tasks: readonly Task[],
  work: (task: Task) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  const waiting = [...tasks.entries()]
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) results[next[0]] = await work(next[1])
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}

const rows = values.demo ? [] : await inTurn(chosen, report)
const demos = chosen.flatMap((client) => {
  const { demo } = client
  return demo === undefined ? [] : demo.versions.map((version): DemoTask => ({ client, demo, version }))
})
const demoRows = await inTurn(demos, reportDemo)
const mcpTasks = values.demo ? [] : chosen.flatMap((client) => (client.mcp ? [{ client, mcp: client.mcp }] : []))
const mcpRows = await inTurn(mcpTasks, reportMcp)
const isAll = positionals.length === 0 && !values.demo

if (values.write && isAll && failures === 0) writeFileSync(pageFile, page(rows, demoRows, mcpRows))
const stale = isAll ? pageProblems() : []
for (const problem of stale) console.log(problem)
if (values.keep) console.log(folder)
else rmSync(folder, { recursive: true, force: true })
console.log(
  failures === 0 ? `${chosen.length} clients work` : `${failures} of ${chosen.length} clients do not do as they should`,
)
process.exitCode = failures + stale.length === 0 ? 0 : 1
