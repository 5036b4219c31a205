import { describe, expect, it } from 'vitest'
import { codecs } from '../../codecs/index.ts'
import type { Codec } from '../../codecs/index.ts'
import type { Conversation, WireExchange, Item, Message, Role } from '../../core/index.ts'
import { thrifty } from '../../compiler/index.ts'
import { compileMemory } from '../compilers.ts'
import { memoryStore } from '../../stores/index.ts'
import { openSessions } from '../open-sessions.ts'
import { sessionParts } from '../session.fixture.ts'
import { verifyReceipt } from '../verify-receipt.ts'
import { shownSteadily, steadyPart, steadying } from './steadied.ts'
import type { SentBefore, Steadied } from './steadied.ts'

function steadied(codec: Codec, received: WireExchange, before: SentBefore): Steadied {
  const { kept, ...steady } = steadying(received, before)
  return { ...steady, received: shownSteadily(codec, received, { kept, last: before.last }) }
}

const at = (minute: number): string => `You are an agent.\nIt is 2026-11-21 10:0${minute}.\nBe brief.`

/** A conversation in which each side has spoken that often. */
function conversation(instructions: readonly string[], turns: number): Conversation {
  const said: (readonly [Role, string])[] = [
    ...instructions.map((text) => ['system', text] as const),
    ...Array.from({ length: turns }, (_, turn) => [
      ['user', `Question ${turn} ${'of many '.repeat(400)}`] as const,
      ['assistant', `Answer ${turn}`] as const,
    ]).flat(),
    ['user', 'And now?'],
  ]
  const items = said.map(([role, text], index): Item => {
    const section = role === 'system' ? 'policy' : 'history'
    return { id: `i${index}`, section, kind: role === 'system' ? 'instruction' : 'text', role, text }
  })
  const messages = items.map(({ id, role = 'user' }, index): Message => ({ id: `m${index}`, role, itemIds: [id] }))
  return { model: 'some-model', items, messages, tools: [], sampling: {}, maxOutputTokens: 100, stream: false }
}

describe.each(codecs)('$dialect', (codec) => {
  const received = (instructions: readonly string[], turns: number): WireExchange => {
    const made = conversation(instructions, turns)
    return codec.decode({ path: codec.pathTo(made), body: codec.write(made).body })
  }
  const wordsOf = ({ conversation: { items } }: WireExchange): readonly string[] => items.map(({ text }) => text)

  it('shows what was first sent, and says the rest at the end', () => {
    const part = steadyPart(received([at(1)], 0))!
    const now = steadied(codec, received([at(2)], 1), { overlay: [part] })
    expect(wordsOf(now.received)).toEqual(wordsOf(received([at(1)], 1)))
    expect(now.received.wire.body).toBe(received([at(1)], 1).wire.body)
    expect(now.notes.map(({ text }) => text)).toEqual([
      '[The instructions at the beginning are shown as they were first sent. By now they say:\nIt is 2026-11-21 10:02.]',
    ])
  })

  it('leaves a request alone whose instructions are the same, or are others, or that begins', () => {
    const part = steadyPart(received([at(1)], 0))!
    for (const same of [received([at(1)], 1), received([`${at(2)} Now!`], 1), received([at(2)], 0)]) {
      const now = steadied(codec, same, { overlay: [part] })
      expect(now.received).toBe(same)
      expect(now.notes).toEqual([])
    }
  })

  it('remembers nothing where no clock and no id stands', () => {
    expect(steadyPart(received(['You are an agent.'], 0))).toBeUndefined()
  })

  it('a receipt of it can be verified: the same bytes again', async () => {
    const store = memoryStore()
    const parts = sessionParts({ store })
    const sessions = openSessions(parts)
    const scope = { tenant: 'acme', session: 's', lane: 'l' }
    const request = {
      codec,
      mode: 'on',
      policy: thrifty,
      rehydrates: true,
    } as const
    for (const [requestId, minute] of [
      ['r0', 1],
      ['r1', 2],
      ['r2', 3],
    ] as const) {
      const turn = await sessions.open(scope).pack({ ...request, requestId, received: received([at(minute)], minute) })
      if (turn.kind !== 'packed') throw turn.error
      const receipt = (await store.read('receipts').get('acme', requestId))!
      const verified = verifyReceipt({
        receipt,
        input: receipt.input!,
        compile: (input) => parts.compile('some-model', input, compileMemory()),
      })
      expect(verified.differences).toEqual([])
    }
    expect((await store.read('receipts').get('acme', 'r2'))!.request!.overlay.map(({ kind }) => kind)).toEqual([
      'steady',
      'insertion',
    ])
  })
})
