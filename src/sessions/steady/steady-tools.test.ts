import { describe, expect, it } from 'vitest'
import { codecs } from '../../codecs/index.ts'
import type { Conversation, WireExchange } from '../../core/index.ts'
import { thrifty } from '../../compiler/index.ts'
import { memoryStore } from '../../stores/index.ts'
import { openSessions } from '../open-sessions.ts'
import { compileMemory } from '../compilers.ts'
import { sessionParts } from '../session.fixture.ts'
import { verifyReceipt } from '../verify-receipt.ts'
import { withToolsInOrder } from './steady-tools.ts'

const definitionOf = (name: string) => ({
  name,
  description: `Does ${name}.`,
  schema: { type: 'object', properties: { at: { type: 'string' } } },
})

function asking(tools: readonly string[], turns = 1): Conversation {
  const texts = Array.from({ length: turns * 2 + 1 }, (_, index) => `Words ${index} ${'and more '.repeat(300)}`)
  const items = texts.map((text, index) => {
    const role = index % 2 === 0 ? ('user' as const) : ('assistant' as const)
    return { id: `i${index}`, section: 'history' as const, kind: 'text' as const, role, text }
  })
  const schemas = tools.map((name) => {
    const text = JSON.stringify(definitionOf(name))
    return { id: `t-${name}`, section: 'tools' as const, kind: 'tool-schema' as const, toolName: name, text }
  })
  return {
    model: 'some-model',
    items: [...schemas, ...items],
    messages: items.map(({ id, role }, index) => ({ id: `m${index}`, role, itemIds: [id] })),
    tools: tools.map(definitionOf),
    sampling: {},
    maxOutputTokens: 100,
    stream: false,
  }
}

const namesOf = ({ conversation: { tools } }: WireExchange): readonly string[] => tools.map(({ name }) => name)

describe.each(codecs)('G-017: tools of a session, $dialect', (codec) => {
  const received = (tools: readonly string[], turns?: number): WireExchange => {
    const made = asking(tools, turns)
    return codec.decode({ path: codec.pathTo(made), body: codec.write(made).body })
  }
  const names = ['read', 'write', 'find', 'ask']

  it('in whatever order they come, they are the same bytes as in the request before', () => {
    const last = received(names)
    for (const order of [names.toReversed(), ['find', 'read', 'ask', 'write'], names]) {
      const ordered = withToolsInOrder(codec, received(order), last)
      expect(ordered.wire.body).toBe(last.wire.body)
      expect(ordered.conversation).toEqual(last.conversation)
    }
  })

  it('new ones come behind, and those that are left keep their order', () => {
    const last = received(names)
    expect(namesOf(withToolsInOrder(codec, received(['new', 'ask', 'find', 'read']), last))).toEqual([
      'read',
      'find',
      'ask',
      'new',
    ])
  })

  it('a request in that order, and one without a request before it, is the very value that it was', () => {
    for (const [now, last] of [
      [received(names), received(names)],
      [received(['read', 'find']), received(names)],
      [received([...names, 'new']), received(names)],
      [received([]), received(names)],
      [received(names.toReversed()), undefined],
    ] as const)
      expect(withToolsInOrder(codec, now, last)).toBe(now)
  })

  it('in a session each request begins with the tools of the one before, and is found in its receipt as it was sent', async () => {
    const store = memoryStore()
    const parts = sessionParts({ store })
    const session = openSessions(parts).open({ tenant: 'acme', session: 's', lane: 'l' })
    const request = { codec, mode: 'on', policy: thrifty, rehydrates: true } as const
    const orders = [names, names.toReversed(), ['find', 'ask', 'read', 'write']]
    const sent: string[] = []
    for (const [index, order] of orders.entries()) {
      const came = received(order, index + 1)
      const turn = await session.pack({ ...request, requestId: `r${index}`, received: came, came })
      if (turn.kind !== 'packed') throw turn.error
      const { body } = turn.encoded!
      sent.push(body)
      const again = codec.decode({ path: came.wire.path, body })
      expect(namesOf(again).filter((name) => name !== 'rehydrate')).toEqual(names)
      const receipt = (await store.read('receipts').get('acme', `r${index}`))!
      const compile = (input: typeof receipt.input & object) => parts.compile('some-model', input, compileMemory())
      expect(verifyReceipt({ receipt, input: receipt.input!, compile }).differences).toEqual([])
    }
    expect(new Set(sent).size).toBe(3)
  })

  it('a function that the client has marked for the cache stays where the client has it', () => {
    const last = received(names)
    const now = received(names.toReversed())
    const [schema] = now.conversation.items.filter(({ kind }) => kind === 'tool-schema')
    const marked = { ...now, wire: { ...now.wire, markers: [{ itemId: schema!.id, ttlMs: 300_000 }] } }
    expect(withToolsInOrder(codec, marked, last)).toBe(marked)
  })
})
