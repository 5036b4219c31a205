// Generated request bodies for both dialects: odd white space, key order, escapes, numbers, duplicate and unknown keys.
import fc from 'fast-check'

export type Gen = fc.GeneratorValue

/** One of these, at random; the first is the simplest. */
export function pick<Value>(g: Gen, ...values: readonly Value[]): Value {
  return values[g(fc.nat, values.length - 1)] as Value
}

export function chance(g: Gen, oneIn: number): boolean {
  return g(fc.nat, oneIn - 1) === oneIn - 1
}

const words = [
  '',
  'ok',
  'line one\nline two',
  'é漢字🙂',
  'a "quoted" \\ path',
  '\ud800 lone',
  '\u0000\u001f',
  '</tool>',
  '{"a":1}',
]

export function text(g: Gen): string {
  return chance(g, 4) ? g(fc.string, { unit: 'binary', maxLength: 20 }) : pick(g, ...words)
}

/** A JSON string for these words, spelt in one of many ways. */
export function rawString(g: Gen, value: string): string {
  const plain = JSON.stringify(value)
  if (!chance(g, 5)) return plain
  if (chance(g, 2)) return plain.replaceAll('/', '\\/')
  const escaped = [...Array(value.length).keys()].map((at) => value.charCodeAt(at).toString(16).padStart(4, '0'))
  return `"${escaped.map((code) => `\\u${code}`).join('')}"`
}

function space(g: Gen): string {
  return chance(g, 6) ? pick(g, ' ', '\n', '\t', '\r\n  ') : ''
}

export type Members = readonly (readonly [key: string, raw: string])[]

/** An object of raw members, sometimes in another order, with unknown and duplicate keys. */
export function rawObject(g: Gen, members: Members): string {
  const all = [...members]
  if (chance(g, 8)) all.splice(g(fc.nat, all.length), 0, ['x_unknown', rawOdd(g)])
  const first = all[0]
  if (chance(g, 12) && first !== undefined) all.unshift([first[0], 'null'])
  const ordered = chance(g, 5) && new Set(all.map(([key]) => key)).size === all.length ? all.toReversed() : all
  const parts = ordered.map(([key, raw]) => `${space(g)}${rawString(g, key)}${space(g)}:${space(g)}${raw}${space(g)}`)
  return `{${parts.join(',')}${parts.length === 0 ? space(g) : ''}}`
}

export function rawArray(g: Gen, elements: readonly string[]): string {
  return `[${elements.map((element) => `${space(g)}${element}${space(g)}`).join(',')}]`
}

/** Values that do not survive being parsed and written again. */
function rawOdd(g: Gen): string {
  return pick(
    g,
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

function rawInput(g: Gen): string {
  return pick(g, '{}', '{"path":"a.ts"}', '{ "n": 1.0, "deep": {"z":1,"a":[1e5]} }', '{"q":"\\u00e9\\n"}')
}

interface Conversation {
  readonly g: Gen
  calls: number
}

/** A request body of the OpenAI dialect. */
export function openaiBody(g: Gen): string {
  const conversation: Conversation = { g, calls: 0 }
  const messages = [...many(g, 1, () => openaiSystem(g)), ...many(g, 4, () => openaiStep(conversation)).flat()]
  if (messages.length === 0) messages.push(openaiUser(g))
  return rawObject(g, [
    ['model', rawString(g, 'gpt-5.6-sol')],
    ...maybe(g, 'tools', () =>
      rawArray(
        g,
        many(g, 3, (index) => openaiTool(g, index)),
      ),
    ),
    ['messages', rawArray(g, messages)],
    ...maybe(g, 'temperature', () => rawOdd(g)),
    ...maybe(g, 'max_tokens', () => pick(g, '100', 'null')),
    ...maybe(g, 'stream', () => pick(g, 'true', 'false', 'null')),
  ])
}

function many<Value>(g: Gen, most: number, make: (index: number) => Value): Value[] {
  return [...Array(g(fc.nat, most)).keys()].map(make)
}

function maybe(g: Gen, name: string, make: () => string): Members {
  return chance(g, 2) ? [[name, make()]] : []
}

function openaiSystem(g: Gen): string {
  const role = pick(g, 'system', 'developer')
  return rawObject(g, [
    ['role', rawString(g, role)],
    ['content', openaiContent(g)],
  ])
}

function openaiUser(g: Gen): string {
  return rawObject(g, [['role', '"user"'], ['content', openaiContent(g)], ...maybe(g, 'name', () => '"ann"')])
}

function openaiContent(g: Gen): string {
  if (chance(g, 2)) return rawString(g, text(g))
  return rawArray(
    g,
    many(g, 3, () => openaiPart(g)),
  )
}

function openaiPart(g: Gen): string {
  const image = `{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}`
  if (chance(g, 4)) return pick(g, image, '{"type":"x_new","n":1.0}', '{"type":"file","file":{"file_id":"f"}}')
  return rawObject(g, [
    ['type', '"text"'],
    ['text', rawString(g, text(g))],
  ])
}

function openaiTool(g: Gen, index: number): string {
  if (chance(g, 6)) return `{"type":"custom","custom":{"name":"free${index}"}}`
  const members: Members = [
    ['name', `"tool${index}"`],
    ...maybe(g, 'description', () => rawString(g, text(g))),
    ...maybe(g, 'parameters', () => '{"type":"object","properties":{"a":{"type":"number","minimum":1.0}}}'),
  ]
  return rawObject(g, [
    ['type', '"function"'],
    ['function', rawObject(g, members)],
  ])
}

function openaiStep(conversation: Conversation): readonly string[] {
  const { g } = conversation
  if (chance(g, 3)) return [openaiUser(g)]
  const ids = many(g, 3, () => {
    conversation.calls += 1
    return `call_${conversation.calls}`
  })
  const calls = ids.map((id) =>
    rawObject(g, [
      ['id', `"${id}"`],
      ['type', '"function"'],
      [
        'function',
        rawObject(g, [
          ['name', '"tool0"'],
          ['arguments', rawString(g, rawInput(g))],
        ]),
      ],
    ]),
  )
  const assistant = rawObject(g, [
    ['role', '"assistant"'],
    ['content', pick(g, 'null', rawString(g, text(g)))],
    ...maybe(g, 'reasoning_content', () => rawString(g, text(g))),
    ...(calls.length === 0 ? [] : [['tool_calls', rawArray(g, calls)] as const]),
  ])
  const results = ids.map((id) =>
    rawObject(g, [
      ['role', '"tool"'],
      ['tool_call_id', `"${id}"`],
      ['content', openaiContent(g)],
    ]),
  )
  return [assistant, ...(chance(g, 6) ? [] : results)]
}

/** A request body of the Anthropic dialect. */
export function anthropicBody(g: Gen): string {
  const conversation: Conversation = { g, calls: 0 }
  const steps = many(g, 4, () => anthropicStep(conversation)).flat()
  return rawObject(g, [
    ['model', '"claude-sonnet-5-5"'],
    ['max_tokens', pick(g, '1024', '0')],
    ...maybe(g, 'tools', () =>
      rawArray(
        g,
        many(g, 3, (index) => anthropicTool(g, index)),
      ),
    ),
    ...maybe(g, 'system', () =>
      chance(g, 2)
        ? rawString(g, text(g))
        : rawArray(
            g,
            many(g, 2, () => textBlock(g)),
          ),
    ),
    ['messages', rawArray(g, [anthropicUser(g), ...steps])],
    ...maybe(g, 'temperature', () => rawOdd(g)),
  ])
}

function textBlock(g: Gen): string {
  return rawObject(g, [
    ['type', '"text"'],
    ['text', rawString(g, text(g))],
  ])
}

function anthropicTool(g: Gen, index: number): string {
  if (chance(g, 6)) return `{"type":"web_search_20250305","name":"web_search","max_uses":5.0}`
  return rawObject(g, [
    ['name', `"tool${index}"`],
    ...maybe(g, 'description', () => rawString(g, text(g))),
    ['input_schema', '{"type":"object","properties":{"a":{"type":"number","minimum":1.0}}}'],
  ])
}

function anthropicBlock(g: Gen): string {
  const image = '{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}'
  return chance(g, 4) ? pick(g, image, '{"type":"x_new","n":1.0}') : textBlock(g)
}

function anthropicUser(g: Gen): string {
  const content = chance(g, 2)
    ? rawString(g, text(g))
    : rawArray(
        g,
        many(g, 3, () => anthropicBlock(g)),
      )
  return rawObject(g, [
    ['role', '"user"'],
    ['content', content],
  ])
}

function anthropicStep(conversation: Conversation): readonly string[] {
  const { g } = conversation
  if (chance(g, 3)) return [anthropicUser(g)]
  const ids = many(g, 3, () => {
    conversation.calls += 1
    return `toolu_${conversation.calls}`
  })
  const thinking = rawObject(g, [
    ['type', '"thinking"'],
    ['thinking', rawString(g, text(g))],
    ['signature', '"c2ln+/=="'],
  ])
  const calls = ids.map((id) =>
    rawObject(g, [
      ['type', '"tool_use"'],
      ['id', `"${id}"`],
      ['name', '"tool0"'],
      ['input', rawInput(g)],
    ]),
  )
  const blocks = [...(chance(g, 4) ? [thinking] : []), ...many(g, 2, () => textBlock(g)), ...calls]
  const assistant = rawObject(g, [
    ['role', '"assistant"'],
    ['content', rawArray(g, blocks)],
  ])
  const results = ids.map((id) =>
    rawObject(g, [
      ['type', '"tool_result"'],
      ['tool_use_id', `"${id}"`],
      ...maybe(g, 'content', () => resultContent(g)),
      ...maybe(g, 'is_error', () => pick(g, 'true', 'false')),
    ]),
  )
  if (results.length === 0 || chance(g, 6)) return [assistant]
  return [
    assistant,
    rawObject(g, [
      ['role', '"user"'],
      ['content', rawArray(g, [...results, ...many(g, 1, () => textBlock(g))])],
    ]),
  ]
}

function resultContent(g: Gen): string {
  return chance(g, 2)
    ? rawString(g, text(g))
    : rawArray(
        g,
        many(g, 3, () => anthropicBlock(g)),
      )
}
