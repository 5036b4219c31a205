import { describe, expect, it } from 'vitest'
import { rawText } from '../core/index.ts'
import type { WireExchange } from '../core/index.ts'
import { treeOf } from './decoded-state.ts'
import { codecFor } from './index.ts'

const user = '{"role":"user","content":"fix it"}'
const step = (n: number): string =>
  `{"role":"assistant","content":[{"type":"tool_use","id":"c${n}","name":"f","input":{}}]},` +
  `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c${n}","content":"r${n}"}]}`
const tools = '[{"name":"f","input_schema":{}}]'
const body = (messages: readonly string[], head = '{"model":"m",', tail = `],"tools":${tools},"system":"s"}`): string =>
  `${head}"messages":[${messages.join(',')}${tail}`
const codec = codecFor('anthropic-messages')

describe('decoding with the previous exchange', () => {
  it('takes over every item of a conversation that has grown, tools after the messages too', () => {
    const before = codec.decode({ body: body([user, step(1)]) })
    const after = codec.decode({ body: body([user, step(1), step(2)]) }, before)
    expect(after).toEqual(codec.decode({ body: body([user, step(1), step(2)]) }))
    expect(
      after.conversation.items
        .slice(0, before.conversation.items.length)
        .every((item, index) => item === before.conversation.items[index]),
    ).toBe(true)
    expect(after.conversation.tools[0]).toBe(before.conversation.tools[0])
  })

  it('takes items over when everything has moved in the text', () => {
    const before = codec.decode({ body: body([user, step(1)]) })
    const after = codec.decode({ body: body([user, step(1)], '{"model":"other","stream":true,') }, before)
    expect(after.conversation.items.every((item, index) => item === before.conversation.items[index])).toBe(true)
    expect(after.conversation.model).toBe('other')
  })

  it('reads everything after a change anew, because turns and pairs hang on what came before', () => {
    const before = codec.decode({ body: body([user, step(1), step(2)]) })
    const edited = body([user, '{"role":"assistant","content":"hm"}', step(1), step(2)])
    expect(codec.decode({ body: edited }, before)).toEqual(codec.decode({ body: edited }))
    expect(() => codec.decode({ body: body([user, step(2).slice(step(2).indexOf('},{') + 2)]) }, before)).toThrow(
      /no tool call/,
    )
  })

  it('lets the old query become history when the user speaks again', () => {
    const before = codec.decode({ body: body([user, step(1)]) })
    const again = body([user, step(1), user])
    const after = codec.decode({ body: again }, before)
    expect(after).toEqual(codec.decode({ body: again }))
    expect(after.conversation.items.find((item) => item.role === 'user')?.section).toBe('history')
  })

  it('takes over what a change has left as it was in the request before, of long bodies', () => {
    const long = (n: number): string => step(n).replace(`"r${n}"`, `"r${n} ${'words of a result. '.repeat(1000)}"`)
    const messages = Array.from({ length: 12 }, (_, index) => long(index))
    let last: { readonly came: WireExchange; readonly changed: WireExchange } | undefined
    for (let count = 2; count <= messages.length; count += 1) {
      const came = codec.decode({ body: body([user, ...messages.slice(0, count)]) }, last?.came)
      const { conversation } = came
      const items = conversation.items.map((item) =>
        item.text.startsWith('r1 ') ? { ...item, text: item.text.replace('r1', 'changed') } : item,
      )
      const exchange = { ...came, conversation: { ...conversation, items } }
      const changed = codec.apply!(exchange, last?.changed)
      const { path, headers } = came.wire
      expect(changed).toEqual(codec.decode({ path, headers, body: codec.encode(exchange, {}) }))
      const known = last?.changed.conversation.items ?? []
      expect(changed.conversation.items.slice(0, known.length).every((item, index) => item === known[index])).toBe(true)
      expect(rawText(treeOf(changed), treeOf(changed).root)).toBe(changed.wire.body)
      last = { came, changed }
    }
  })

  it('passes over an exchange of the other dialect', () => {
    const other = codecFor('openai-chat').decode({ body: `{"model":"m","messages":[${user}]}` })
    expect(codec.decode({ body: body([user]) }, other)).toEqual(codec.decode({ body: body([user]) }))
  })
})
