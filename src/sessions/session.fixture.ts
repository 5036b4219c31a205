import type { Item } from '../core/index.ts'
import { thrifty } from '../compiler/index.ts'
import { codecFor } from '../codecs/index.ts'
import { manualClock } from '../providers/index.ts'
import { memoryStore } from '../stores/index.ts'
import { shippedCatalogue } from '../tokens/index.ts'
import { compilers } from './compilers.ts'
import type { Sessions } from './open-sessions.ts'
import type { SessionTurn, UnpackedTurn } from './session-turn.ts'
import type { SessionLimits, SessionParts } from './session-parts.ts'
import { prefixLifetimes } from './prefix-lifetimes.ts'
import { rehydrateTool } from './tools/rehydrate-tool.ts'

interface PartsGiven extends Partial<Omit<SessionParts, 'limits'>> {
  readonly limits?: Partial<SessionLimits>
}

/** Parts of sessions in memory, whose clock stands still. */
export function sessionParts({ limits, ...given }: PartsGiven = {}): SessionParts {
  const clock = manualClock(Date.UTC(2026, 10, 21))
  return {
    store: memoryStore(),
    tools: [rehydrateTool],
    recordsContent: true,
    compile: compilers(shippedCatalogue),
    lifetimes: prefixLifetimes(),
    modelInfo: shippedCatalogue.info,
    fittingTokens: (_, windowTokens) => windowTokens,
    handleKey: (tenant) => tenant,
    clock: () => clock.now(),
    stopwatch: () => 0,
    watch: { failed: () => undefined, slow: () => undefined, missed: () => undefined, answered: () => undefined },
    limits: {
      liveSessions: 100,
      liveBytes: 20_000_000,
      stageMs: 1000,
      hiddenRounds: 8,
      answerChars: 200_000,
      toolMs: 1000,
      ...limits,
    },
    ...given,
  }
}

/** A tool result of many lines, different for every number. */
export function resultOf(number: number, lines = 200): string {
  return Array.from(
    { length: lines },
    (_, line) => `src/module-${number}/file-${line}.ts: export const a = ${line}`,
  ).join('\n')
}

/** The body of a request with that many tool results. */
export function bodyOf(results: number, task = 'Find the value.', more: Record<string, unknown> = {}): string {
  const numbers = Array.from({ length: results }, (_, index) => index + 1)
  return JSON.stringify({
    model: 'claude-sonnet-4-6',
    max_tokens: 1024,
    tools: [{ name: 'read', description: 'Reads a file.', input_schema: { type: 'object' } }],
    system: 'You are an agent.',
    ...more,
    messages: [
      { role: 'user', content: task },
      ...numbers.flatMap((number) => exchangeOf(`${number}`, resultOf(number))),
    ],
  })
}

/** A call of a tool and its result. */
export function exchangeOf(id: string, result: string): unknown[] {
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id: `toolu_${id}`, name: 'read', input: { path: `f${id}` } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${id}`, content: result }] },
  ]
}

let requests = 0

/** A request of a session of the tenant `acme`. */
export function sent(
  sessions: Sessions,
  session: string,
  body: string,
  collected: readonly Item[] = [],
): Promise<SessionTurn | UnpackedTurn> {
  const codec = codecFor('anthropic-messages')
  const received = codec.decode({ body }, sessions.guess('acme', body))
  requests += 1
  const requestId = `r${requests}`
  return sessions
    .open({ tenant: 'acme', session, lane: 'lane' })
    .pack({ codec, received, collected, requestId, mode: 'on', policy: thrifty, rehydrates: true })
}
