import { describe, expect, it } from 'vitest'
import { careful, policies } from '../compiler/index.ts'
import { codecFor } from '../codecs/index.ts'
import type { Policy } from '../core/index.ts'
import { openSessions } from './open-sessions.ts'
import { askedAt, chatBody, recordedRuns } from './recorded-runs.fixture.ts'
import type { RecordedRun } from './recorded-runs.fixture.ts'
import { sessionParts } from './session.fixture.ts'
import type { SessionTurn } from './session-turn.ts'
import { hiddenRounds } from './tools/hidden-rounds.ts'

const codec = codecFor('openai-chat')

/** Chances that are the same in every run. */
function chances(seed: number): () => number {
  let state = seed
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

interface ToolCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

const replyOf = (message: object): string =>
  JSON.stringify({
    choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
    usage: { prompt_tokens: 1, completion_tokens: 1 },
  })

const messagesOf = (body: string): readonly string[] =>
  (JSON.parse(body) as { messages: unknown[] }).messages.map((message) => JSON.stringify(message))

/** Handles that a turn shows. */
const handlesIn = ({ encoded }: SessionTurn): readonly string[] =>
  (encoded?.pack.entries ?? []).flatMap(({ handle }) => (handle === undefined ? [] : [handle]))

interface Counts {
  hidden: number
  held: number
}

/** Plays a run in which the model now and then looks at what was shortened, alone or beside calls of the client's. */
async function played(run: RecordedRun, policy: Policy, counts: Counts): Promise<void> {
  let nowMs = Date.UTC(2026, 10, 21)
  const chance = chances(run.id.length + 7)
  const parts = sessionParts({ clock: () => (nowMs += 10_000) })
  const sessions = openSessions(parts)
  let before: readonly string[] = []
  for (const at of askedAt(run)) {
    const body = chatBody(run.messages.slice(0, at))
    const session = sessions.open({ tenant: 'acme', session: run.id, lane: 'lane' })
    const received = codec.decode({ body }, sessions.guess('acme', body))
    const turn = await session.pack({ codec, received, requestId: `${at}`, mode: 'on', policy, rehydrates: true })
    if (turn.kind !== 'packed' || !turn.encoded) throw new Error('not packed')
    let sent = messagesOf(turn.encoded.body)
    if (turn.manifest.epoch?.decision === 'hold') {
      counts.held += 1
      expect(sent.slice(0, before.length)).toEqual(before)
    }
    before = sent
    const rounds = hiddenRounds(parts, { session, turn })
    const handles = rounds ? handlesIn(turn) : []
    const looks = (): ToolCall => {
      counts.hidden += 1
      const handle = handles[Math.floor(chance() * handles.length)] ?? 'none'
      return {
        id: `call_${counts.hidden}_aX4kQ9zB`,
        type: 'function',
        function: { name: 'rehydrate', arguments: JSON.stringify({ handle }) },
      }
    }
    const endOf = (message: object) => codec.endOf(codec.decodeReply(replyOf(message)), rounds?.names ?? new Set())
    while (handles.length > 0 && chance() < 0.3) {
      const next = await rounds?.next(endOf({ role: 'assistant', content: null, tool_calls: [looks()] }))
      if (next === undefined) break
      sent = messagesOf(next)
      expect(sent.slice(0, before.length)).toEqual(before)
      before = sent
    }
    const answer = run.messages[at] as { tool_calls?: readonly ToolCall[] }
    const isMixed = handles.length > 0 && (answer.tool_calls?.length ?? 0) > 0 && chance() < 0.1
    await rounds?.file(endOf(isMixed ? { ...answer, tool_calls: [looks(), ...(answer.tool_calls ?? [])] } : answer))
    await session.answered(turn, {
      status: 200,
      rehydrations: rounds?.answers.answered ?? 0,
      upstreamMs: 0,
      overheadMs: 0,
    })
  }
}

/** Few runs are so long that the usual loan begins an epoch in them. */
const lending: Policy = { ...careful, ...(careful.epochs && { epochs: { ...careful.epochs, loanShare: 0.1 } }) }

describe.each([lending, policies.masked])('within an epoch, $id', (policy) => {
  it('a request begins with what was sent before it, hidden rounds included', async () => {
    const counts: Counts = { hidden: 0, held: 0 }
    for (const run of [...recordedRuns('lite_test_a', 2), ...recordedRuns('deepseek_chat_dev', 2)])
      await played(run, policy, counts)
    expect(counts.hidden).toBeGreaterThan(50)
    expect(counts.held).toBeGreaterThan(100)
  })
})
