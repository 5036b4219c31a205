import { describe, expect, it } from 'vitest'
import { careful } from '../../compiler/index.ts'
import { manualClock } from '../../providers/index.ts'
import { bodyOf } from '../session.fixture.ts'
import type { HiddenTool, OfferContext, ToolContext } from '../tools/hidden-tool.ts'
import { openSession } from './open-session.ts'

const request = (): object => JSON.parse(bodyOf(1)) as object

const replyOf = (content: readonly object[]) => ({
  type: 'message',
  role: 'assistant',
  content,
  stop_reason: content.some((block) => 'input' in block) ? 'tool_use' : 'end_turn',
  usage: { input_tokens: 1, output_tokens: 1 },
})

const calling = (name: string): object => replyOf([{ type: 'tool_use', id: 'toolu_h1', name, input: { of: 'x' } }])

const done = replyOf([{ type: 'text', text: 'Done.' }])

function toolOf(answer: HiddenTool['answer'], more: Partial<HiddenTool> = {}): HiddenTool {
  return { definition: { name: 'look', description: 'Looks.', schema: { type: 'object' } }, ...more, answer }
}

/** What the model is answered in the last message of a request. */
function lastOf(sent: object | undefined): string {
  const { messages } = sent as { readonly messages: readonly unknown[] }
  return JSON.stringify(messages.at(-1))
}

describe('a hidden tool of a session in process', () => {
  it('is told what one of a gateway is told: its tenant, session, policy, room and time', async () => {
    const clock = manualClock(Date.UTC(2026, 10, 21))
    const [seen, offered]: [ToolContext[], OfferContext[]] = [[], []]
    const tool = toolOf(
      async (_, context) => {
        seen.push(context)
        return { text: 'seen', found: true }
      },
      {
        offer: (context) => {
          offered.push(context)
          return true
        },
      },
    )
    const policy = { ...careful, id: 'mine' }
    const session = openSession({ tenant: 'acme', id: 's1', policy, hiddenTools: [tool], clock: () => clock.now() })
    const packed = await session.pack(request(), { step: { taskId: 'release' } })
    expect(lastOf(await packed.next(calling('look')))).toContain('seen')
    const [context] = seen
    const principal = { tenant: 'acme', keyId: 'in-process', scopes: ['inference', 'read'], limits: { toolMs: 30_000 } }
    expect(context).toMatchObject({
      principal,
      scope: { tenant: 'acme', session: 's1' },
      policy: { id: 'mine' },
      step: { taskId: 'release' },
      requestId: packed.receipt!.requestId,
      deadlineMs: clock.now() + 30_000,
    })
    expect(context!.roomTokens).toBeGreaterThan(100_000)
    expect(() => Object.assign(context!.policy, { id: 'other' })).toThrow(TypeError)
    expect(Object.isFrozen(policy)).toBe(false)
    expect(offered[0]).toMatchObject({ principal, scope: { session: 's1' } })
    expect(offered[0]!.conversation.items.some(({ text }) => text === 'Find the value.')).toBe(true)
  })

  it('is broken off by the signal of its request', async () => {
    const leaving = new AbortController()
    const tool = toolOf((_, { signal }) => {
      leaving.abort()
      return signal.aborted ? new Promise(() => undefined) : Promise.resolve({ text: 'went on', found: true })
    })
    const session = openSession({ hiddenTools: [tool] })
    const packed = await session.pack(request(), { signal: leaving.signal })
    expect(lastOf(await packed.next(calling('look')))).toContain('The tool look was stopped')
  })

  it('that floods is shortened, and the rest comes back by its handle', async () => {
    const text = Array.from({ length: 200_000 }, (_, line) => `row ${line} says ${line * 7919}`).join('\n')
    const clock = manualClock(Date.UTC(2026, 10, 21))
    const tool = toolOf(async () => ({ text, found: true }))
    const session = openSession({ hiddenTools: [tool], clock: () => clock.now() })
    const large = (results: number): object => JSON.parse(bodyOf(results)) as object
    for (const results of [9, 10]) {
      await session.send(large(results), async () => done)
      await clock.advance(3_600_000)
    }
    const packed = await session.pack(large(11))
    const shown = lastOf(await packed.next(calling('look')))
    expect(shown.length).toBeLessThan(30_000)
    expect(shown).toContain('row 199999 says')
    const handle = /folded: rehydrate\(\\+"(\d+)/.exec(shown)?.[1]
    const input = { handle, lines: '123457' }
    const fetched = await packed.next(replyOf([{ type: 'tool_use', id: 'toolu_h2', name: 'rehydrate', input }]))
    expect(lastOf(fetched)).toContain(`row 123456 says ${123_456 * 7919}`)
    expect(await packed.answered(done)).toMatchObject({ content: [{ type: 'text', text: 'Done.' }] })
  })
})
