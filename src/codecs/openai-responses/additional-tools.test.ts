import { describe, expect, it } from 'vitest'
import type { WireExchange, Pack } from '../../core/index.ts'
import { packOf } from '../../testing/index.ts'
import { anthropicMessages } from '../anthropic-messages/index.ts'
import { crossRequest } from '../cross-request.ts'
import { itemIdAt, placeOfItem } from '../item-places.fixture.ts'
import { openaiResponses } from './index.ts'

const exec = { type: 'custom', name: 'exec', description: 'Runs code.' }
const wait = {
  type: 'function',
  name: 'wait',
  description: 'Waits.\n  For a while.',
  parameters: { type: 'object', properties: { ms: { type: 'number' } } },
}
const sleep = { ...wait, name: 'sleep' }
const clock = { type: 'namespace', name: 'clock', description: 'Time.', tools: [sleep] }
/** As Codex sends all of its tools. */
const tools = [{ type: 'namespace', name: 'functions', description: '', tools: [exec, wait] }, clock]
const brought = { type: 'additional_tools', role: 'developer', tools }
const rules = { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'rules' }] }
const user = { role: 'user', content: 'fix it' }
const call = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'c1', name: 'exec', input: 'ls' }
const result = { type: 'custom_tool_call_output', call_id: 'c1', output: 'a.ts' }
const ours = { name: 'rehydrate', description: 'Brings back.', schema: { type: 'object' } }

function decode(input: readonly object[], more: object = {}): WireExchange {
  return openaiResponses.decode({ body: JSON.stringify({ model: 'gpt-6.2-sol', input, ...more }) })
}

const exchange = decode([brought, rules, user, call, result])

function encoded(view: Parameters<typeof openaiResponses.encode>[1], from = exchange): Record<string, unknown> {
  return JSON.parse(openaiResponses.encode(from, view)) as Record<string, unknown>
}

describe('tools that an input item brings', () => {
  it('are tools, each with its place and its JSON', () => {
    const found = exchange.conversation.items.filter(({ kind }) => kind === 'tool-schema')
    expect(found.map((item) => [placeOfItem(exchange, item.id), item.section, item.toolName, item.text])).toEqual([
      ['m0.b0.p0', 'tools', 'exec', JSON.stringify(exec)],
      ['m0.b0.p1', 'tools', 'wait', JSON.stringify(wait)],
      ['m0.b1.p0', 'tools', 'sleep', JSON.stringify(sleep)],
    ])
  })

  it.each([
    ['namespaces', tools],
    ['a custom tool', [exec]],
    ['a function', [wait]],
  ])('let a tool of ours join them: %s', (_, list) => {
    const own = decode([{ ...brought, tools: list }, user])
    expect([own.wire.acceptsTool, own.wire.keepsTool]).toEqual([true, true])
    const { input } = encoded({ hiddenTools: [ours] }, own)
    const added = { type: 'function', name: 'rehydrate', description: 'Brings back.', parameters: { type: 'object' } }
    expect(input).toEqual([{ ...brought, tools: [...list, { ...added, strict: false }] }, user])
  })

  it('give way to those of the body, where it has some', () => {
    const both = decode([brought, user], { tools: [exec] })
    const body = encoded({ hiddenTools: [ours] }, both)
    expect(body['tools']).toHaveLength(2)
    expect(body['input']).toEqual([brought, user])
  })

  it.each([
    [[], false],
    [[{ type: 'web_search' }], false],
  ])('accept no tool of ours where the client answers no call: %j', (list, accepts) => {
    expect(decode([{ ...brought, tools: list }, user]).wire.acceptsTool).toBe(accepts)
  })

  it('are shortened and left out where they stand', () => {
    const id = itemIdAt(exchange, 'm0.b0.p1')
    const short = { ...wait, description: 'Waits.' }
    const shown = (text: string | undefined): unknown =>
      encoded({ pack: packOf(exchange, (item) => (item.id === id ? text : item.text)) })['input']
    const withFirst = (list: readonly object[]): unknown => [
      { ...brought, tools: [{ ...tools[0], tools: list }, clock] },
      rules,
      user,
      call,
      result,
    ]
    expect(shown(JSON.stringify(short))).toEqual(withFirst([exec, short]))
    expect(shown(undefined)).toEqual(withFirst([exec]))
  })

  it('stay where the conversation is laid out anew', () => {
    const pack: Pack = {
      ...packOf(exchange, ({ section, text }) => (section === 'tools' ? text : undefined)),
      layout: 'payload',
      messages: [{ role: 'user', text: 'all of it' }],
    }
    const joined = { type: 'function', name: 'rehydrate', description: 'Brings back.', parameters: { type: 'object' } }
    expect(encoded({ pack, hiddenTools: [ours] })['input']).toEqual([
      { ...brought, tools: [...tools, { ...joined, strict: false }] },
      { role: 'user', content: 'all of it' },
    ])
  })

  it('cross to a provider of another dialect, with the name of their namespace before their own', () => {
    const crossed = crossRequest(openaiResponses, anthropicMessages, exchange)
    const body = JSON.parse(crossed.body) as { readonly tools: readonly { readonly name: string }[] }
    expect(body.tools.map(({ name }) => name)).toEqual(['exec', 'wait', 'clock__sleep'])
    expect(crossed.names?.get('clock__sleep')).toEqual({ name: 'sleep', namespace: 'clock' })
  })
})
