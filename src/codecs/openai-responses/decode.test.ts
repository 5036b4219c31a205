import { describe, expect, it } from 'vitest'
import type { WireExchange } from '../../core/index.ts'
import { packOf } from '../../testing/index.ts'
import { itemIdAt, markedPlaces, placeOfItem } from '../item-places.fixture.ts'
import { openaiResponses } from './index.ts'

function decode(request: object): WireExchange {
  return openaiResponses.decode({ body: JSON.stringify({ model: 'gpt-5.6-sol', ...request }) })
}

const user = { role: 'user', content: 'fix it' }
const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'c2ln' }
const call = { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'read', arguments: '{"path":"a.ts"}' }
const result = { type: 'function_call_output', call_id: 'c1', output: 'text' }
const said = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  phase: 'commentary',
  content: [{ type: 'output_text', text: 'I read', annotations: [] }],
}

function brief(exchange: WireExchange): readonly unknown[] {
  return exchange.conversation.items.map((item) => [placeOfItem(exchange, item.id), item.kind, item.role, item.text])
}

describe('a Responses request', () => {
  it('gives one item per tool, text, part, reasoning, call and result, in wire order', () => {
    const tool = { type: 'function', name: 'read', description: 'reads', parameters: { type: 'object' }, strict: true }
    const image = { type: 'input_image', image_url: 'https://a/b.png', detail: 'low' }
    const parts = [{ type: 'input_text', text: 'look' }, image]
    const results = {
      ...result,
      output: [
        { type: 'input_text', text: 'a' },
        { type: 'input_text', text: 'b' },
      ],
    }
    const exchange = decode({
      instructions: 'policy',
      input: [{ role: 'developer', content: 'role' }, { role: 'user', content: parts }, reasoning, said, call, results],
      tools: [tool],
    })
    expect(brief(exchange)).toEqual([
      ['t0', 'tool-schema', undefined, JSON.stringify(tool)],
      ['s0', 'instruction', 'system', 'policy'],
      ['m0', 'instruction', 'developer', 'role'],
      ['m1.b0', 'text', 'user', 'look'],
      ['m1.b1', 'media', 'user', ''],
      ['m2.w', 'reasoning', 'assistant', JSON.stringify(reasoning)],
      ['m3.b0', 'text', 'assistant', 'I read'],
      ['m4.arguments', 'tool-call', 'assistant', '{"path":"a.ts"}'],
      ['m5.b0', 'tool-result', 'tool', 'a'],
      ['m5.b1', 'tool-result', 'tool', 'b'],
    ])
    expect(exchange.conversation.tools).toEqual([{ name: 'read', description: 'reads', schema: { type: 'object' } }])
    expect(exchange.conversation.items[4]?.media).toEqual({ type: 'image', url: 'https://a/b.png', detail: 'low' })
  })

  it('takes words alone as those of the user, and makes a list of them where something joins them', () => {
    const exchange = decode({ input: 'go' })
    expect(exchange.conversation.items).toMatchObject([{ text: 'go', role: 'user', section: 'query' }])
    const pack = packOf(exchange)
    const fact = { itemId: 'kb', section: 'evidence', rung: 'full', text: 'Rain', tokens: 1 } as const
    const view = { pack: { ...pack, entries: [fact, ...pack.entries] } }
    const sent = openaiResponses.encode(exchange, view)
    expect(JSON.parse(sent).input).toEqual([
      { role: 'user', content: 'Rain' },
      { role: 'user', content: 'go' },
    ])
    expect(openaiResponses.encode(exchange, { pack })).toBe(exchange.wire.body)
    const { body } = openaiResponses.restore(exchange.wire.body, openaiResponses.overlayOf(exchange, view))
    expect(body).toBe(sent)
    const after = { pack: { ...pack, entries: [{ ...fact, itemId: itemIdAt(exchange, 'm0'), text: 'went' }, fact] } }
    expect(JSON.parse(openaiResponses.encode(exchange, after)).input).toEqual([
      { role: 'user', content: 'went' },
      { role: 'user', content: 'Rain' },
    ])
  })

  it('counts the items of one reply as one turn', () => {
    const turns = decode({ input: [user, reasoning, said, call, result, call, result, said] }).conversation.items
    expect(turns.map(({ birthTurn }) => birthTurn)).toEqual([0, 0, 0, 0, 1, 1, 2, 2])
  })

  it('reads a longer body as it reads it alone', () => {
    const before = decode({ input: [user, reasoning, call, result] })
    const longer = JSON.stringify({
      model: 'gpt-5.6-sol',
      input: [user, reasoning, call, result, reasoning, said, user],
    })
    expect(openaiResponses.decode({ body: longer }, before)).toEqual(openaiResponses.decode({ body: longer }))
  })

  it.each([
    [{ type: 'custom_tool_call', call_id: 'c', name: 'apply_patch', input: '*** Begin' }, 'apply_patch', '*** Begin'],
    [
      { type: 'local_shell_call', id: 'ls', call_id: 'c', action: { type: 'exec', command: ['ls'] } },
      'local_shell',
      '{"type":"exec","command":["ls"]}',
    ],
    [
      { type: 'tool_search_call', execution: 'client', call_id: 'c', arguments: { q: 'x' } },
      'tool_search',
      '{"q":"x"}',
    ],
  ])('joins a call of another kind and its result: %j', (made, name, text) => {
    const output = { type: `${made.type}_output`, call_id: 'c', output: 'done', execution: 'client' }
    const [first, second] = decode({ input: [made, output, user] }).conversation.items
    expect(first).toMatchObject({ kind: 'tool-call', toolName: name, text, group: 'c' })
    expect(second).toMatchObject({ kind: 'tool-result', toolName: name, text: 'done', group: 'c' })
  })

  it.each([
    { type: 'web_search_call', id: 'ws', status: 'completed', action: { type: 'search', query: 'x' } },
    { type: 'mcp_call', id: 'mcp', name: 'f', arguments: '{}', server_label: 's', output: 'x' },
    { type: 'item_reference', id: 'rs_1' },
    { type: 'compaction', id: 'cmp', encrypted_content: 'x' },
    { type: 'x_new', n: 1 },
  ])('takes along as it is what it does not answer: %j', (item) => {
    const exchange = decode({ input: [user, item] })
    const last = exchange.conversation.items.at(-1)
    expect(last).toMatchObject({ kind: 'opaque', role: 'assistant', frozen: true, text: JSON.stringify(item) })
    expect(openaiResponses.rawItem(exchange, last?.id ?? '')).toBe(JSON.stringify(item))
  })

  it('takes a result whose call the provider keeps, and does not leave it out', () => {
    const kept = { type: 'item_reference', id: 'fc_1' }
    const exchange = decode({ input: [user, kept, result] })
    expect(exchange.conversation.items.at(-1)).toMatchObject({ kind: 'tool-result', group: 'c1', text: 'text' })
    expect(JSON.parse(openaiResponses.encode(exchange, shown(exchange, 'result:c1', 'short'))).input[2].output).toBe(
      'short',
    )
    expect(() => openaiResponses.encode(exchange, shown(exchange, 'result:c1'))).toThrow(/provider keeps the call/)
  })

  it.each([{ previous_response_id: 'resp_1' }, { conversation: 'conv_1' }, { prompt: { id: 'p' } }])(
    'may have no input where the provider keeps one: %j',
    (more) => {
      expect(decode(more).conversation.items).toEqual([])
      expect(decode({ ...more, input: [result] }).conversation.items).toHaveLength(1)
    },
  )

  it('knows the marks, the key and the limits of the caller', () => {
    const part = { type: 'input_text', text: 'x', prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' } }
    const exchange = decode({
      input: [{ role: 'user', content: [part] }],
      prompt_cache_key: 'k',
      max_output_tokens: 9,
      tool_choice: { type: 'function', name: 'f' },
      text: { format: { type: 'json_schema', name: 'n', schema: {}, strict: true } },
    })
    expect(markedPlaces(exchange)).toEqual([{ itemId: 'm0.b0', ttlMs: 43_200_000 }])
    expect(exchange.wire.cacheKey).toBe('k')
    expect(exchange.conversation).toMatchObject({
      maxOutputTokens: 9,
      sampling: { toolChoice: { name: 'f' }, responseFormat: { name: 'n', schema: {}, strict: true } },
    })
  })

  it('needs no model where it names a prompt, which has one', () => {
    const { conversation } = openaiResponses.decode({ body: '{"prompt":{"id":"p"},"input":"go"}' })
    expect([conversation.model, conversation.items.length]).toEqual(['', 1])
    expect(() => openaiResponses.decode({ body: '{"input":"go"}' })).toThrow(/model/)
  })

  it('what the provider has run in the midst of a reply is of that reply; what the client has, is not', () => {
    const called = { type: 'shell_call', id: 'sh', call_id: 'c', action: { commands: ['ls'] } }
    const output = { type: 'shell_call_output', call_id: 'c', output: [{ stdout: 'a.ts', stderr: '' }] }
    const words = { role: 'assistant', content: 'There is one.' }
    const turns = (answer: object): readonly unknown[] => {
      const { messages, items } = decode({
        input: [{ role: 'user', content: 'go' }, called, answer, words],
      }).conversation
      expect(items.slice(1, 3).map(({ kind, group }) => [kind, group])).toEqual([
        ['tool-call', 'c'],
        ['tool-result', 'c'],
      ])
      return [messages.map(({ role }) => role), items.map(({ birthTurn }) => birthTurn)]
    }
    expect(turns({ ...output, id: 'sho' })).toEqual([
      ['user', 'assistant', 'assistant', 'assistant'],
      [0, 0, 0, 0],
    ])
    expect(turns(output)).toEqual([
      ['user', 'assistant', 'tool', 'assistant'],
      [0, 0, 1, 1],
    ])
  })

  it.each(['reasoning', 'compaction'])(
    'what is encrypted in %s is not counted as the text that it is written as',
    (type) => {
      const tokens = (chars: number): number | undefined => {
        const input = [
          { role: 'user', content: 'go' },
          { type, id: 'x', encrypted_content: 'A'.repeat(chars) },
        ]
        return decode({ input }).conversation.items.at(-1)?.tokens
      }
      expect([tokens(100), tokens(866), tokens(868), tokens(8867), tokens(0)]).toEqual([0, 0, 1, 1500, undefined])
    },
  )

  it.each([
    [{}, true, true],
    [{ tool_choice: 'auto' }, true, true],
    [{ tool_choice: 'required' }, false, true],
    [{ tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [] } }, false, true],
    [{ previous_response_id: 'resp_1' }, true, true],
    [{ conversation: { id: 'conv_1' } }, false, false],
    [{ background: true }, false, false],
  ])('a tool of ours joins only where its calls come to us: %j', (more, accepts, keeps) => {
    const { wire } = decode({ input: 'go', tools: [{ type: 'function', name: 'f' }], ...more })
    expect([wire.acceptsTool, wire.keepsTool]).toEqual([accepts, keeps])
  })
})

function shown(exchange: WireExchange, ofId: string, text?: string) {
  return { pack: packOf(exchange, (item) => (item.id === ofId ? text : item.text)) }
}

describe('what is left out of a Responses request', () => {
  const exchange = decode({ input: [user, reasoning, said, call, result, user] })
  const without = (...places: readonly string[]): string => {
    const gone = new Set(places.map((place) => itemIdAt(exchange, place)))
    return openaiResponses.encode(exchange, {
      pack: packOf(exchange, ({ id, text }) => (gone.has(id) ? undefined : text)),
    })
  }

  it('goes with all that it led to', () => {
    expect(JSON.parse(without('m1.w', 'm2.b0', 'm3.arguments', 'm4')).input).toEqual([user, user])
    expect(JSON.parse(without('m3.arguments', 'm4')).input).toEqual([user, reasoning, said, user])
  })

  it.each([[['m1.w']], [['m2.b0']], [['m1.w', 'm2.b0']], [['m4']], [['m3.arguments']]])(
    'is refused where the provider would refuse the rest: %j',
    (places) => {
      expect(() => without(...places)).toThrow(expect.objectContaining({ code: 'compile-assertion' }))
    },
  )

  it('changes words where they stand, and marks what may be marked', () => {
    const pack = {
      ...packOf(exchange, ({ text, kind }) => (kind === 'tool-result' ? 'short' : text)),
      breakpoints: [{ itemId: 'result:c1', ttlMs: 1_800_000 }],
    }
    const marked = '[{"type":"input_text","text":"short","prompt_cache_breakpoint":{"mode":"explicit"}}]'
    expect(openaiResponses.encode(exchange, { pack })).toBe(exchange.wire.body.replace('"text"}', `${marked}}`))
  })
})

describe('a bad Responses request is refused by the field', () => {
  it.each<[object, string]>([
    [{}, 'input'],
    [{ input: [] }, 'input'],
    [{ input: 3 }, 'input'],
    [{ input: ['hi'] }, 'input[0]'],
    [{ input: [{}] }, 'input[0].type'],
    [{ input: [{ type: 'message', content: 'x' }] }, 'input[0].role'],
    [{ input: [{ role: 'robot', content: 'x' }] }, 'input[0].role'],
    [{ input: [{ role: 'user' }] }, 'input[0].content'],
    [{ input: [{ role: 'user', content: 3 }] }, 'input[0].content'],
    [{ input: [{ role: 'user', content: [{ type: 'input_text' }] }] }, 'input[0].content[0].text'],
    [{ input: [{ ...call, call_id: undefined }] }, 'input[0].call_id'],
    [{ input: [{ ...call, arguments: {} }] }, 'input[0].arguments'],
    [{ input: [call, call] }, 'input[1].call_id'],
    [{ input: [user], instructions: [] }, 'instructions'],
    [{ input: [user], tools: [{ type: 'function' }] }, 'tools[0].name'],
    [{ input: [user], max_output_tokens: 0 }, 'max_output_tokens'],
  ])('%j', (request, field) => {
    expect(() => decode(request)).toThrow(
      expect.objectContaining({ code: 'invalid-input', data: expect.objectContaining({ field }) }),
    )
  })
})

it.each([
  [[{ type: 'compaction', compact_threshold: 60_000 }], { compactsAboveTokens: 60_000 }],
  [[{ type: 'compaction' }], undefined],
  [{ type: 'compaction' }, undefined],
])('what the caller has OpenAI compact by itself: %j', (management, editing) => {
  expect(decode({ input: [user], context_management: management }).conversation.editing).toEqual(editing)
})
