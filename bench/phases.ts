import { readFileSync } from 'node:fs'
import { agentPhases, isJsonObject } from '../src/core/index.ts'
import type { AgentPhase } from '../src/core/index.ts'
import { detectPhase } from '../src/compiler/index.ts'
import { readTrace } from '../src/inspect/index.ts'
import type { Trace } from '../src/inspect/index.ts'
import { markdownTable } from './markdown-table.ts'

/*
 * How often `detectPhase` tells what a coding agent is at, of recorded runs that ended in a patch. The labels are made in hindsight, from
 * what the patch says and from nothing that the detector reads: a step whose call holds a line that the patch adds is the making of it;
 * all steps before the first of these are planning, those from the first to the last executing, those after it reviewing. The
 * detector sees what stood before the step, and not the step.
 *
 *   node bench/phases.ts ../shared/data/swe-traces/lite_test_a.jsonl
 */

/** Shorter ones stand in many places. */
const leastChars = 16

interface Labelled {
  readonly label: AgentPhase
  readonly found: AgentPhase | undefined
}

for (const file of process.argv.slice(2)) {
  const patches = patchesIn(file)
  const states: Labelled[] = []
  let runs = 0
  for await (const trace of readTrace(file, { onInvalid: failed })) {
    const own = labelled(trace, patches.get(trace.id) ?? '')
    if (own.length > 0) runs += 1
    states.push(...own)
  }
  const right = states.filter(({ label, found }) => label === found).length
  console.log(`\n${file}: ${states.length} steps of ${runs} runs, right ${percent(right, states.length)}\n`)
  console.log(confusion(states))
}

function failed(error: Error): never {
  throw error
}

function patchesIn(file: string): ReadonlyMap<string, string> {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return new Map(
    lines.map((line) => {
      const run: unknown = JSON.parse(line)
      return isJsonObject(run) ? [String(run['id']), String(run['submission'] ?? '')] : ['', '']
    }),
  )
}

/** The steps of a run whose making of the patch can be found. */
function labelled({ requests }: Trace, patch: string): readonly Labelled[] {
  const added = patch
    .split('\n')
    .filter((line) => line.startsWith('+') && !line.startsWith('+++'))
    .map((line) => line.slice(1).trim())
    .filter((line) => line.length >= leastChars)
  const makes = requests.map(({ answer }) =>
    (answer?.items ?? []).some(
      ({ kind, text }) => kind === 'tool-call' && added.some((line) => unescaped(text).includes(line)),
    ),
  )
  const first = makes.indexOf(true)
  const last = makes.lastIndexOf(true)
  if (first < 0) return []
  return requests.flatMap(({ messages, answer }, index) => {
    if (answer === undefined) return []
    const label: AgentPhase = index < first ? 'planning' : index > last ? 'reviewing' : 'executing'
    const found = detectPhase({ items: messages.flatMap(({ items }) => items) })
    return [{ label, found: found ?? 'planning' }]
  })
}

/** Arguments as they are written in JSON. */
function unescaped(text: string): string {
  return text.replaceAll('\\"', '"').replaceAll('\\\\', '\\')
}

function confusion(states: readonly Labelled[]): string {
  return markdownTable(
    agentPhases.map((label) => {
      const own = states.filter((state) => state.label === label)
      const cells = agentPhases.map((found) => [found, String(own.filter((state) => state.found === found).length)])
      const right = own.filter(({ found }) => found === label).length
      return { label: `${label} ${own.length}`, ...Object.fromEntries(cells), right: percent(right, own.length) }
    }),
  )
}

function percent(part: number, whole: number): string {
  return whole === 0 ? 'n/a' : `${((100 * part) / whole).toFixed(1)}%`
}
