import type { Tokenizer } from '../src/core/index.ts'
import {
  type Calibration,
  calibrated,
  emptyCalibration,
  encodingTokenizer,
  heuristicTokenizer,
  observe,
  requestOverhead,
  shippedCatalogue,
  safetyMargin,
  tokenizerOf,
} from '../src/tokens/index.ts'
import { markdownTable } from './markdown-table.ts'
import { type Corpus, records, tokenCorpora } from './token-corpora.ts'

/** One recorded request: what we would have estimated and what the provider reported. */
interface Call {
  readonly session: string
  readonly model: string
  readonly estimated: number
  /** Its texts in the plain encoding, without factor or framing. */
  readonly textTokens: number
  readonly actual: number
  /** The request before, with its reply: what this one extends. */
  readonly anchor?: { readonly estimated: number; readonly actual: number }
}

interface Message {
  readonly role: string
  readonly content?: string | null
  readonly tool_calls?: readonly { readonly name: string; readonly arguments: string }[]
  readonly usage?: { readonly [field: string]: number }
  readonly model?: string
}

const TRACES = [
  'deepseek_chat_dev',
  'deepseek_chat_dev_rerun',
  'deepseek_lite_dev_noparallel',
  'deepseek_reasoner_dev',
  'lite_test_a',
]

function recordedCalls(): Call[] {
  const traces = TRACES.flatMap((name) => records(`swe-traces/${name}.jsonl`)).flatMap((row) =>
    callsOf(row['messages'] as Message[], String(row['id']), () => String(row['model'])),
  )
  const sessions = records('coding-sessions/pi_sessions.jsonl').flatMap((row) =>
    callsOf(beforeCompaction(row), String(row['id']), (message) => message.model),
  )
  return [...traces, ...sessions]
}

/** After a compaction the trace does not tell what the request held. */
function beforeCompaction(row: Record<string, unknown>): Message[] {
  const events = row['events'] as { readonly after_message: number; readonly summary?: string }[]
  const first = events.find((event) => event.summary !== undefined)
  return (row['messages'] as Message[]).slice(0, first === undefined ? undefined : first.after_message + 1)
}

function callsOf(
  messages: readonly Message[],
  session: string,
  modelOf: (message: Message) => string | undefined,
): Call[] {
  const models = new Set(messages.filter((message) => message.usage !== undefined).map((message) => modelOf(message)))
  return [...models].flatMap((model) =>
    model === undefined ? [] : callsTo(model, session, messages, (message) => modelOf(message) === model),
  )
}

/** Walks the conversation once, keeping what the request so far would be estimated at. */
function callsTo(
  model: string,
  session: string,
  messages: readonly Message[],
  isTo: (message: Message) => boolean,
): Call[] {
  const calls: Call[] = []
  let estimated = requestOverhead({ messages: [] }, shippedCatalogue.info(model)).fixed
  let textTokens = 0
  let anchor: Call['anchor']
  for (const message of messages) {
    const actual = promptTokens(message.usage)
    const isCall = actual > 0 && isTo(message)
    if (isCall)
      calls.push({ session, model, estimated, textTokens, actual, ...(anchor === undefined ? {} : { anchor }) })
    const { text, frame } = messageTokens(message, model)
    textTokens += text.encoded
    estimated += text.scaled + frame
    if (isCall) anchor = { estimated, actual: actual + replyTokens(message.usage) }
    else if (actual > 0) anchor = undefined
  }
  return calls
}

function messageTokens(message: Message, model: string) {
  const info = shippedCatalogue.info(model)
  const calls = message.tool_calls ?? []
  const texts = [message.content ?? '', ...calls.flatMap((call) => [call.name, call.arguments])]
  const count = (tokenizer: Tokenizer) => texts.reduce((total, text) => total + tokenizer.count(text), 0)
  const shape = { role: message.role, toolCalls: calls.length }
  return {
    text: { encoded: count(tokenizerOf({ ...info, countFactor: 1 })), scaled: count(tokenizerOf(info)) },
    frame: requestOverhead({ messages: [shape] }, info).perMessage[0] ?? 0,
  }
}

function promptTokens(usage: Message['usage']): number {
  if (usage === undefined) return 0
  return usage['prompt'] ?? (usage['input'] ?? 0) + (usage['cacheRead'] ?? 0) + (usage['cacheWrite'] ?? 0)
}

function replyTokens(usage: Message['usage']): number {
  return usage?.['completion'] ?? usage?.['output'] ?? 0
}

type Predict = (calibration: Calibration, call: Call) => number

const plain: Predict = (calibration, { model, estimated }) => calibrated(calibration, { model, estimated })
const anchored: Predict = (calibration, call) => calibrated(calibration, call)

interface Online {
  readonly errors: readonly number[]
  /** Share of requests that came out larger than estimate and margin. */
  readonly exceeded: number
}

/** Predicts each request before learning from it; `perSession` forgets everything between sessions. */
function online(calls: readonly Call[], predict: Predict, perSession: boolean): Online {
  let calibration = emptyCalibration
  let session = ''
  let exceeded = 0
  const errors: number[] = []
  for (const call of calls) {
    if (perSession && call.session !== session) calibration = emptyCalibration
    session = call.session
    const predicted = predict(calibration, call)
    errors.push(Math.abs(predicted - call.actual) / call.actual)
    if (call.actual > predicted * (1 + safetyMargin(calibration, call.model))) exceeded += 1
    calibration = observe(calibration, call)
  }
  return { errors, exceeded: exceeded / calls.length }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

function percent(value: number): string {
  return `${(100 * value).toFixed(1)}%`
}

function spread({ errors }: Online): string {
  return `${percent(quantile(errors, 0.5))} / ${percent(quantile(errors, 0.9))}`
}

function byModel(calls: readonly Call[]): Map<string, Call[]> {
  return Map.groupBy(calls, (call) => call.model)
}

function calibrationRows(): Record<string, string>[] {
  return [...byModel(recordedCalls())]
    .filter(([, calls]) => calls.length >= 30)
    .map(([model, calls]) => {
      const off = (pick: (call: Call) => number) => ({
        errors: calls.map((call) => Math.abs(pick(call) - call.actual) / call.actual),
        exceeded: 0,
      })
      const perSession = online(calls, plain, true)
      const carried = online(calls, plain, false)
      const withAnchor = online(calls, anchored, false)
      return {
        'model': model,
        'requests': String(calls.length),
        'sessions': String(new Set(calls.map((call) => call.session)).size),
        'texts alone': spread(off((call) => call.textTokens)),
        'before calibration': spread(off((call) => call.estimated)),
        'learning anew per session': spread(perSession),
        'carried over': spread(carried),
        'with anchor': spread(withAnchor),
        'over margin': percent(withAnchor.exceeded),
      }
    })
}

function heuristicRow({ name, chunks }: Corpus): Record<string, string> {
  const reference = encodingTokenizer('o200k_base')
  const errors = chunks.map((chunk) => heuristicTokenizer.count(chunk) / reference.count(chunk) - 1)
  const within = (share: number) => percent(errors.filter((error) => Math.abs(error) <= share).length / errors.length)
  return {
    'kind': name,
    'chunks': String(chunks.length),
    'p5': percent(quantile(errors, 0.05)),
    'median': percent(quantile(errors, 0.5)),
    'p95': percent(quantile(errors, 0.95)),
    'within 15%': within(0.15),
    'within 20%': within(0.2),
  }
}

process.stdout.write(`Prompt tokens against provider-reported usage, relative error, median / p90\n\n`)
process.stdout.write(`${markdownTable(calibrationRows())}\n\n`)
process.stdout.write(`Heuristic against o200k_base, chunks of 2,000 characters\n\n`)
process.stdout.write(`${markdownTable(tokenCorpora().map(heuristicRow))}\n`)
