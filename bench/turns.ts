import { argv } from 'node:process'
import { openSession } from '../src/sessions/index.ts'
import type { RootSpan } from '../src/tracing/index.ts'
import { markdownTable } from './markdown-table.ts'
import { nextRequest, recordedSessions, tools, wireMessage } from './recorded-turns.ts'
import type { RecordedMessage } from './recorded-turns.ts'

/*
 * How long a request of a long conversation takes in process: recorded coding sessions, one turn after another, as an agent sends
 * them, at the default policy. A request is everything between the body that the agent gives and the body that goes out: reading,
 * compiling, writing, the receipt and its commit to a store in memory; the compile is the part of it that a trace names so. The clock is that of
 * the recording, so that caches grow cold when they did. Each session is played several times, and the least time of each turn counts, since
 * others may share the machine. First: the same request where nothing is known of its conversation, as after a restart.
 *
 *   npm run -s bench -- turns      or, other sessions: node bench/turns.ts [FILE]
 */

const file = argv[2] ?? new URL('../../shared/data/coding-sessions/pi_sessions.jsonl', import.meta.url)
const model = 'gpt-5.1'

/** Requests by how many tokens their conversations have. */
const sizes: readonly (readonly [from: number, to: number])[] = [
  [0, 25_000],
  [25_000, 75_000],
  [75_000, 125_000],
  [125_000, 200_000],
  [200_000, Infinity],
]

interface Turn {
  readonly tokens: number
  readonly ms: number
  readonly compileMs: number
}

type PackTimed = (messages: readonly object[]) => Promise<Turn>

/** A session whose requests are timed, and their compiles as a trace has them. */
function timedSession(clock: () => number): PackTimed {
  let compileMs = 0
  const end: RootSpan['end'] = (record) => {
    const compiled = record?.children?.find(({ name }) => name === 'prehend.compile')
    compileMs = compiled === undefined ? 0 : compiled.endMs - compiled.startMs
  }
  const tracing = { begin: (): RootSpan => ({ traceparent: undefined, isRecording: true, end }) }
  const session = openSession({ clock, tracing })
  return async (messages) => {
    const started = performance.now()
    const { receipt } = await session.pack({ model, tools, messages })
    return { ms: performance.now() - started, compileMs, tokens: receipt?.manifest.originalTokens ?? 0 }
  }
}

/** Every request of a session, and some of them by sessions that know nothing. */
async function turnsOf(messages: readonly RecordedMessage[]): Promise<Turns> {
  let now = 0
  const clock = (): number => now
  const pack = timedSession(clock)
  const wire = messages.map((message) => wireMessage(message))
  const next: Turn[] = []
  const first: Turn[] = []
  for (let length = nextRequest(messages, 1); length <= messages.length; length = nextRequest(messages, length + 1)) {
    now = Date.parse(messages[length - 1]?.ts ?? '') || now + 10_000
    next.push(await pack(wire.slice(0, length)))
    if (next.length % freshEvery === 0) first.push(await timedSession(clock)(wire.slice(0, length)))
  }
  return { next: next.slice(1), first }
}

interface Turns {
  readonly next: readonly Turn[]
  readonly first: readonly Turn[]
}

/** Of each turn the least that it has taken. */
function least(rounds: readonly (readonly Turn[])[]): readonly Turn[] {
  return (rounds[0] ?? []).map((turn, index) => {
    const times = rounds.map((round) => round[index] ?? turn)
    return {
      ...turn,
      ms: Math.min(...times.map(({ ms }) => ms)),
      compileMs: Math.min(...times.map(({ compileMs }) => compileMs)),
    }
  })
}

const roundCount = 3
const freshEvery = 40

function at(share: number, values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const value = sorted[Math.ceil(share * sorted.length) - 1]
  return value === undefined ? 'n/a' : value.toFixed(1)
}

const next: Turn[] = []
const first: Turn[] = []
for (const messages of recordedSessions(file)) {
  const rounds: Turns[] = []
  while (rounds.length < roundCount) rounds.push(await turnsOf(messages))
  next.push(...least(rounds.map((round) => round.next)))
  first.push(...least(rounds.map((round) => round.first)))
}
const rows = sizes.map(([from, to]) => {
  const within = (turns: readonly Turn[]): readonly Turn[] =>
    turns.filter(({ tokens }) => tokens >= from && tokens < to)
  const own = within(next)
  const compiles = own.map(({ compileMs }) => compileMs)
  const requests = own.map(({ ms }) => ms)
  return {
    'tokens': to === Infinity ? `${from / 1000}K and more` : `${from / 1000}K to ${to / 1000}K`,
    'requests': String(own.length),
    'compile p50': at(0.5, compiles),
    'p95': at(0.95, compiles),
    'whole p50': at(0.5, requests),
    'whole p95': at(0.95, requests),
    'worst': at(1, requests),
    'first, p50': at(
      0.5,
      within(first).map(({ ms }) => ms),
    ),
  }
})
console.log(`Requests of recorded conversations, in ms\n\n${markdownTable(rows)}`)
