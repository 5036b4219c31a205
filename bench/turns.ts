import { argv } from 'node:process'
import { openSession } from '../src/sessions/index.ts'
import type { InProcessSession } from '../src/sessions/index.ts'
import { markdownTable } from './markdown-table.ts'
import { nextRequest, recordedSessions, tools, wireMessage } from './recorded-turns.ts'
import type { RecordedMessage } from './recorded-turns.ts'

/*
 * How long a request of a long conversation takes in process: recorded coding sessions, one turn after another, as an agent sends
 * them, at the default policy. `pack` is everything between the body that the agent gives and the body that goes out: reading,
 * compiling, writing, the receipt and its commit to a store in memory. The clock is that of
 * the recording, so that caches grow cold when they did. Times are those that the thread has computed, since others may share the machine.
 * First: the same request where nothing is known of its conversation, as after a restart.
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
}

async function timed(session: InProcessSession, messages: readonly object[]): Promise<Turn> {
  const request = { model, tools, messages }
  const started = process.threadCpuUsage()
  const { receipt } = await session.pack(request)
  const { user, system } = process.threadCpuUsage(started)
  return { ms: (user + system) / 1000, tokens: receipt?.manifest.originalTokens ?? 0 }
}

/** Every request of a session, and some of them by sessions that know nothing. */
async function turnsOf(
  messages: readonly RecordedMessage[],
): Promise<{ readonly next: Turn[]; readonly first: Turn[] }> {
  let now = 0
  const clock = (): number => now
  const session = openSession({ clock })
  const wire = messages.map((message) => wireMessage(message))
  const next: Turn[] = []
  const first: Turn[] = []
  for (let length = nextRequest(messages, 1); length <= messages.length; length = nextRequest(messages, length + 1)) {
    now = Date.parse(messages[length - 1]?.ts ?? '') || now + 10_000
    next.push(await timed(session, wire.slice(0, length)))
    if (next.length % freshEvery === 0) first.push(await timed(openSession({ clock }), wire.slice(0, length)))
  }
  return { next: next.slice(1), first }
}

const freshEvery = 40

function at(share: number, values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const value = sorted[Math.ceil(share * sorted.length) - 1]
  return value === undefined ? 'n/a' : value.toFixed(1)
}

const next: Turn[] = []
const first: Turn[] = []
for (const messages of recordedSessions(file)) {
  const turns = await turnsOf(messages)
  next.push(...turns.next)
  first.push(...turns.first)
}
const rows = sizes.map(([from, to]) => {
  const within = (turns: readonly Turn[]): readonly number[] =>
    turns.filter(({ tokens }) => tokens >= from && tokens < to).map(({ ms }) => ms)
  const own = within(next)
  return {
    'tokens': to === Infinity ? `${from / 1000}K and more` : `${from / 1000}K to ${to / 1000}K`,
    'requests': String(own.length),
    'p50': at(0.5, own),
    'p95': at(0.95, own),
    'worst': at(1, own),
    'first, p50': at(0.5, within(first)),
  }
})
console.log(`Requests of recorded conversations, in ms\n\n${markdownTable(rows)}`)
