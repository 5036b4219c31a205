// Generated request bodies of the dialects that come with the product: odd white space, key order, escapes, numbers, duplicate and unknown keys.
import type { Draw } from './draw.ts'
import { chance, pick, text } from './draw.ts'

/** A JSON string for these words, spelt in one of many ways. */
export function rawString(draw: Draw, value: string): string {
  const plain = JSON.stringify(value)
  if (!chance(draw, 5)) return plain
  if (chance(draw, 2)) return plain.replaceAll('/', '\\/')
  const escaped = [...Array(value.length).keys()].map((at) => value.charCodeAt(at).toString(16).padStart(4, '0'))
  return `"${escaped.map((code) => `\\u${code}`).join('')}"`
}

function space(draw: Draw): string {
  return chance(draw, 6) ? pick(draw, ' ', '\n', '\t', '\r\n  ') : ''
}

export type Members = readonly (readonly [key: string, raw: string])[]

/** An object of raw members, sometimes in another order, with unknown and duplicate keys. */
export function rawObject(draw: Draw, members: Members): string {
  const all = [...members]
  if (chance(draw, 8)) all.splice(draw.whole(all.length), 0, ['x_unknown', rawOdd(draw)])
  const first = all[0]
  if (chance(draw, 12) && first !== undefined) all.unshift([first[0], 'null'])
  const ordered = chance(draw, 5) && new Set(all.map(([key]) => key)).size === all.length ? all.toReversed() : all
  const parts = ordered.map(
    ([key, raw]) => `${space(draw)}${rawString(draw, key)}${space(draw)}:${space(draw)}${raw}${space(draw)}`,
  )
  return `{${parts.join(',')}${parts.length === 0 ? space(draw) : ''}}`
}

export function rawArray(draw: Draw, elements: readonly string[]): string {
  return `[${elements.map((element) => `${space(draw)}${element}${space(draw)}`).join(',')}]`
}

/** Values that do not survive being parsed and written again. */
export function rawOdd(draw: Draw): string {
  return pick(
    draw,
    '1.0',
    '1e400',
    '-0',
    '12345678901234567890',
    '0.1e-7',
    '{"b":1,"a":2}',
    '{"a":1,"a":2}',
    '"\\u0041"',
    '[1.50,null]',
  )
}

export function rawInput(draw: Draw): string {
  return pick(draw, '{}', '{"path":"a.ts"}', '{ "n": 1.0, "deep": {"z":1,"a":[1e5]} }', '{"q":"\\u00e9\\n"}')
}

interface Conversation {
  readonly draw: Draw
  calls: number
}

/** A request body of the OpenAI dialect. */
export function openaiBody(draw: Draw): string {
  const conversation: Conversation = { draw, calls: 0 }
  const messages = [...many(draw, 1, () => openaiSystem(draw)), ...many(draw, 4, () => openaiStep(conversation)).flat()]
  if (messages.length === 0) messages.push(openaiUser(draw))
  return rawObject(draw, [
    ['model', rawString(draw, 'gpt-5.6-sol')],
    ...maybe(draw, 'tools', () =>
      rawArray(
        draw,
        many(draw, 3, (index) => openaiTool(draw, index)),
      ),
    ),
    ['messages', rawArray(draw, messages)],
    ...maybe(draw, 'temperature', () => rawOdd(draw)),
    ...maybe(draw, 'max_tokens', () => pick(draw, '100', 'null')),
    ...maybe(draw, 'stream', () => pick(draw, 'true', 'false', 'null')),
  ])
}

export function many<Value>(draw: Draw, most: number, make: (index: number) => Value): Value[] {
  return [...Array(draw.whole(most)).keys()].map(make)
}

export function maybe(draw: Draw, name: string, make: () => string): Members {
  return chance(draw, 2) ? [[name, make()]] : []
}

function openaiSystem(draw: Draw): string {
  const role = pick(draw, 'system', 'developer')
  return rawObject(draw, [
    ['role', rawString(draw, role)],
    ['content', openaiContent(draw)],
  ])
}

function openaiUser(draw: Draw): string {
  return rawObject(draw, [['role', '"user"'], ['content', openaiContent(draw)], ...maybe(draw, 'name', () => '"ann"')])
}

function openaiContent(draw: Draw): string {
  if (chance(draw, 2)) return rawString(draw, text(draw))
  return rawArray(
    draw,
    many(draw, 3, () => openaiPart(draw)),
  )
}

function openaiPart(draw: Draw): string {
  const image = `{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}`
  if (chance(draw, 4)) return pick(draw, image, '{"type":"x_new","n":1.0}', '{"type":"file","file":{"file_id":"f"}}')
  return rawObject(draw, [
    ['type', '"text"'],
    ['text', rawString(draw, text(draw))],
  ])
}

function openaiTool(draw: Draw, index: number): string {
  if (chance(draw, 6)) return `{"type":"custom","custom":{"name":"free${index}"}}`
  const members: Members = [
    ['name', `"tool${index}"`],
    ...maybe(draw, 'description', () => rawString(draw, text(draw))),
    ...maybe(draw, 'parameters', () => '{"type":"object","properties":{"a":{"type":"number","minimum":1.0}}}'),
  ]
  return rawObject(draw, [
    ['type', '"function"'],
    ['function', rawObject(draw, members)],
  ])
}

function openaiStep(conversation: Conversation): readonly string[] {
  const { draw } = conversation
  if (chance(draw, 3)) return [openaiUser(draw)]
  const ids = many(draw, 3, () => {
    conversation.calls += 1
    return `call_${conversation.calls}`
  })
  const calls = ids.map((id) =>
    rawObject(draw, [
      ['id', `"${id}"`],
      ['type', '"function"'],
      [
        'function',
        rawObject(draw, [
          ['name', '"tool0"'],
          ['arguments', rawString(draw, rawInput(draw))],
        ]),
      ],
    ]),
  )
  const assistant = rawObject(draw, [
    ['role', '"assistant"'],
    ['content', pick(draw, 'null', rawString(draw, text(draw)))],
    ...maybe(draw, 'reasoning_content', () => rawString(draw, text(draw))),
    ...(calls.length === 0 ? [] : [['tool_calls', rawArray(draw, calls)] as const]),
  ])
  const results = ids.map((id) =>
    rawObject(draw, [
      ['role', '"tool"'],
      ['tool_call_id', `"${id}"`],
      ['content', openaiContent(draw)],
    ]),
  )
  return [assistant, ...(chance(draw, 6) ? [] : results)]
}

/** A request body of the Anthropic dialect. */
export function anthropicBody(draw: Draw): string {
  const conversation: Conversation = { draw, calls: 0 }
  const steps = many(draw, 4, () => anthropicStep(conversation)).flat()
  return rawObject(draw, [
    ['model', '"claude-sonnet-5-5"'],
    ['max_tokens', pick(draw, '1024', '0')],
    ...maybe(draw, 'tools', () =>
      rawArray(
        draw,
        many(draw, 3, (index) => anthropicTool(draw, index)),
      ),
    ),
    ...maybe(draw, 'system', () =>
      chance(draw, 2)
        ? rawString(draw, text(draw))
        : rawArray(
            draw,
            many(draw, 2, () => textBlock(draw)),
          ),
    ),
    ['messages', rawArray(draw, [anthropicUser(draw), ...steps])],
    ...maybe(draw, 'temperature', () => rawOdd(draw)),
  ])
}

function textBlock(draw: Draw): string {
  return rawObject(draw, [
    ['type', '"text"'],
    ['text', rawString(draw, text(draw))],
  ])
}

function anthropicTool(draw: Draw, index: number): string {
  if (chance(draw, 6)) return `{"type":"web_search_20250305","name":"web_search","max_uses":5.0}`
  return rawObject(draw, [
    ['name', `"tool${index}"`],
    ...maybe(draw, 'description', () => rawString(draw, text(draw))),
    ['input_schema', '{"type":"object","properties":{"a":{"type":"number","minimum":1.0}}}'],
  ])
}

function anthropicBlock(draw: Draw): string {
  const image = '{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}'
  return chance(draw, 4) ? pick(draw, image, '{"type":"x_new","n":1.0}') : textBlock(draw)
}

function anthropicUser(draw: Draw): string {
  const content = chance(draw, 2)
    ? rawString(draw, text(draw))
    : rawArray(
        draw,
        many(draw, 3, () => anthropicBlock(draw)),
      )
  return rawObject(draw, [
    ['role', '"user"'],
    ['content', content],
  ])
}

function anthropicStep(conversation: Conversation): readonly string[] {
  const { draw } = conversation
  if (chance(draw, 3)) return [anthropicUser(draw)]
  const ids = many(draw, 3, () => {
    conversation.calls += 1
    return `toolu_${conversation.calls}`
  })
  const thinking = rawObject(draw, [
    ['type', '"thinking"'],
    ['thinking', rawString(draw, text(draw))],
    ['signature', '"c2ln+/=="'],
  ])
  const calls = ids.map((id) =>
    rawObject(draw, [
      ['type', '"tool_use"'],
      ['id', `"${id}"`],
      ['name', '"tool0"'],
      ['input', rawInput(draw)],
    ]),
  )
  const blocks = [...(chance(draw, 4) ? [thinking] : []), ...many(draw, 2, () => textBlock(draw)), ...calls]
  const assistant = rawObject(draw, [
    ['role', '"assistant"'],
    ['content', rawArray(draw, blocks)],
  ])
  const results = ids.map((id) =>
    rawObject(draw, [
      ['type', '"tool_result"'],
      ['tool_use_id', `"${id}"`],
      ...maybe(draw, 'content', () => resultContent(draw)),
      ...maybe(draw, 'is_error', () => pick(draw, 'true', 'false')),
    ]),
  )
  if (results.length === 0 || chance(draw, 6)) return [assistant]
  return [
    assistant,
    rawObject(draw, [
      ['role', '"user"'],
      ['content', rawArray(draw, [...results, ...many(draw, 1, () => textBlock(draw))])],
    ]),
  ]
}

function resultContent(draw: Draw): string {
  return chance(draw, 2)
    ? rawString(draw, text(draw))
    : rawArray(
        draw,
        many(draw, 3, () => anthropicBlock(draw)),
      )
}
