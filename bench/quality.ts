// How good the packs of recorded sessions are by eight measures, and what measuring costs a compile.
// usage: node bench/quality.ts [SESSIONS of each file] [DATA]
import { hash } from 'node:crypto'
import { careful, createCompiler, thrifty } from '../src/compiler/index.ts'
import type { CompileInput, CompileResult, Policy, QualityRecord } from '../src/core/index.ts'
import { countingOf, plainRules, prehend, qualityTally, readTrace, replayTrace } from '../src/inspect/index.ts'
import type { QualitySpread, Trace } from '../src/inspect/index.ts'
import { markdownTable } from './markdown-table.ts'

const most = Number(process.argv[2] ?? 8)
const data = process.argv[3] ?? '../shared/data'
const sets: readonly (readonly [name: string, files: readonly string[]])[] = [
  [
    'coding runs',
    ['lite_test_a', 'deepseek_chat_dev', 'deepseek_lite_dev_noparallel', 'deepseek_reasoner_dev'].map(
      (name) => `swe-traces/${name}`,
    ),
  ],
  ['long sessions', ['coding-sessions/pi_sessions']],
  ['tool tasks', ['mcp-traces/traces.dev']],
  ['airline runs', ['tau-bench/airline.dev']],
]
const rules = plainRules({})

/** What a compile takes of the processor, in milliseconds. */
interface Meter {
  ms: number
  compiles: number
}

function packedBy(policy: Policy, meter: Meter, packed?: (record: QualityRecord) => void) {
  const timed = (compile: (input: CompileInput) => CompileResult) => (input: CompileInput) => {
    const before = process.cpuUsage()
    const result = compile(input)
    const { user, system } = process.cpuUsage(before)
    meter.ms += (user + system) / 1000
    meter.compiles += 1
    return result
  }
  return prehend({
    name: policy.id,
    policy,
    prices: rules.prices,
    openCompiler: () => {
      const compiler = createCompiler({ tokenizer: rules.tokenizer, hash: (text) => hash('sha256', text, 'hex') })
      return { compile: timed((input) => compiler.compile(input)) }
    },
    windowTokens: 1_000_000,
    chargeTool: 'always',
    ...(packed && { packed: ({ quality }) => quality && packed(quality) }),
  })
}

async function* tracesOf(files: readonly string[]): AsyncGenerator<Trace> {
  for (const file of files) {
    let read = 0
    for await (const trace of readTrace(`${data}/${file}.jsonl`, {})) {
      if (read >= most) break
      read += 1
      yield trace
    }
  }
}

function figure(value: number | null): string {
  return value === null ? 'n/a' : value.toFixed(2)
}

function cell({ p5, median, p95, judged, breaches }: QualitySpread): string {
  if (median === null) return 'n/a'
  return `${figure(p5)} ${figure(median)} ${figure(p95)} (${breaches} of ${judged})`
}

const options = {
  ...countingOf(rules),
  openCache: rules.openCache,
  outputPrice: rules.outputPrice,
  clock: () => 0,
}

for (const policy of [careful, thrifty]) {
  const columns = new Map<string, readonly QualitySpread[]>()
  const [plain, measured]: [Meter, Meter] = [
    { ms: 0, compiles: 0 },
    { ms: 0, compiles: 0 },
  ]
  for (const [name, files] of sets) {
    const tally = qualityTally()
    for await (const trace of tracesOf(files)) {
      replayTrace(trace, packedBy(policy, plain), options)
      // A session is packed again for what it would cost to fetch what is missing; that is not what would have been sent.
      let left = trace.requests.length
      const packed = (record: QualityRecord): void => {
        left -= 1
        if (left >= 0) tally.add(record)
      }
      replayTrace(trace, packedBy({ ...policy, measureQuality: true }, measured, packed), options)
    }
    columns.set(name, tally.spreads())
  }
  const measures = [...columns.values()][0]?.map(({ measure }) => measure) ?? []
  console.log(
    `\n${policy.id}, at most ${most} sessions of each file: p5, median, p95 (gates that would have fired, of packs judged)\n`,
  )
  console.log(
    markdownTable(
      measures.map((measure) => ({
        measure: `\`${measure}\``,
        ...Object.fromEntries(
          Array.from(columns, ([name, spreads]) => [
            name,
            cell(spreads.find((one) => one.measure === measure) as QualitySpread),
          ]),
        ),
      })),
    ),
  )
  const packs = Array.from(columns, ([name, spreads]) => `${name} ${Math.max(...spreads.map((one) => one.packs))}`)
  const each = ({ ms, compiles }: Meter): string => (ms / Math.max(1, compiles)).toFixed(2)
  console.log(
    `\npacks: ${packs.join(', ')}; a compile: ${each(plain)} ms of the processor, measured ${each(measured)} ms`,
  )
}
