// Generated request bodies of Gemini: members in either spelling, calls and results with and without ids, signatures.
import { many, maybe, rawArray, rawInput, rawObject, rawOdd, rawString } from './bodies.ts'
import type { Draw } from './draw.ts'
import { chance, pick, text } from './draw.ts'

interface Conversation {
  readonly draw: Draw
  calls: number
}

/** A request body of the Gemini dialect. */
export function geminiBody(draw: Draw): string {
  const conversation: Conversation = { draw, calls: 0 }
  const steps = many(draw, 4, () => step(conversation)).flat()
  const tools = (): string => rawArray(draw, [declarations(draw), ...many(draw, 1, () => '{"googleSearch":{}}')])
  return rawObject(draw, [
    ['model', '"models/gemini-3-pro"'],
    ...maybe(draw, pick(draw, 'systemInstruction', 'system_instruction'), () => systemInstruction(draw)),
    ...maybe(draw, 'tools', tools),
    ['contents', rawArray(draw, [userContent(draw), ...steps])],
    ...maybe(draw, pick(draw, 'generationConfig', 'generation_config'), () => generationConfig(draw)),
    ...maybe(draw, 'safetySettings', () => '[{"category":"x","threshold":"BLOCK_NONE"}]'),
  ])
}

function systemInstruction(draw: Draw): string {
  return rawObject(draw, [...maybe(draw, 'role', () => '"system"'), ['parts', texts(draw, 2)]])
}

function texts(draw: Draw, most: number): string {
  return rawArray(
    draw,
    many(draw, most, () => textPart(draw)),
  )
}

function textPart(draw: Draw): string {
  return rawObject(draw, [['text', rawString(draw, text(draw))]])
}

function generationConfig(draw: Draw): string {
  return rawObject(draw, [
    ...maybe(draw, 'temperature', () => rawOdd(draw)),
    ...maybe(draw, pick(draw, 'maxOutputTokens', 'max_output_tokens'), () => pick(draw, '100', 'null')),
    ...maybe(draw, 'thinkingConfig', () => '{"includeThoughts":true,"thinkingBudget":-1}'),
  ])
}

function declarations(draw: Draw): string {
  const all = many(draw, 3, (index) =>
    rawObject(draw, [
      ['name', `"tool${index}"`],
      ...maybe(draw, 'description', () => rawString(draw, text(draw))),
      ...maybe(draw, 'parameters', () => '{"type":"OBJECT","properties":{"a":{"type":"NUMBER","minimum":1.0}}}'),
    ]),
  )
  return `{"${pick(draw, 'functionDeclarations', 'function_declarations')}":${rawArray(draw, all)}}`
}

function userContent(draw: Draw): string {
  const media = pick(
    draw,
    '{"inlineData":{"mimeType":"image/png","data":"AAAA"}}',
    '{"file_data":{"mime_type":"application/pdf","file_uri":"https://x.test/a.pdf"}}',
    '{"x_new":{"n":1.0}}',
  )
  const parts = [textPart(draw), ...(chance(draw, 4) ? [media] : []), ...many(draw, 2, () => textPart(draw))]
  return rawObject(draw, [...maybe(draw, 'role', () => '"user"'), ['parts', rawArray(draw, parts)]])
}

function step(conversation: Conversation): readonly string[] {
  const { draw } = conversation
  if (chance(draw, 3)) return [userContent(draw)]
  const named = chance(draw, 2)
  const calls = many(draw, 3, (index) => {
    conversation.calls += 1
    return { name: `tool${index}`, id: named ? `"call_${conversation.calls}"` : undefined }
  })
  const thought = '{"text":"hm","thought":true}'
  const parts = [
    ...(chance(draw, 4) ? [thought] : []),
    ...many(draw, 2, () => textPart(draw)),
    ...calls.map(({ name, id }, index) => callPart(draw, { name, id, isSigned: index === 0 && chance(draw, 2) })),
    ...(chance(draw, 6) ? ['{"text":"","thoughtSignature":"c2ln+/=="}'] : []),
    ...(chance(draw, 6) ? ['{"executableCode":{"language":"PYTHON","code":"1.0"}}'] : []),
  ]
  const model = rawObject(draw, [
    ['role', '"model"'],
    ['parts', rawArray(draw, parts)],
  ])
  if (calls.length === 0 || chance(draw, 6)) return [model]
  const results = calls.map(({ name, id }) => resultPart(draw, name, id))
  const role = pick(draw, '"user"', '"function"')
  const said = many(draw, 1, () => textPart(draw))
  return [
    model,
    rawObject(draw, [
      ['role', role],
      ['parts', rawArray(draw, [...results, ...said])],
    ]),
  ]
}

interface DrawnCall {
  readonly name: string
  readonly id: string | undefined
  readonly isSigned: boolean
}

function callPart(draw: Draw, { name, id, isSigned }: DrawnCall): string {
  const call = rawObject(draw, [
    ['name', `"${name}"`],
    ...(id === undefined ? [] : [['id', id] as const]),
    ...maybe(draw, 'args', () => rawInput(draw)),
  ])
  const member = pick(draw, 'functionCall', 'function_call')
  return rawObject(draw, [[member, call], ...(isSigned ? [['thoughtSignature', '"c2ln+/=="'] as const] : [])])
}

function resultPart(draw: Draw, name: string, id: string | undefined): string {
  const words = rawString(draw, text(draw))
  const response = pick(
    draw,
    `{"output":${words}}`,
    `{"error":${words}}`,
    `{"name":"${name}","content":${words}}`,
    '{"exit":0,"stdout":"a","stderr":""}',
    '{"n": 1.0}',
    '{}',
  )
  const result = rawObject(draw, [
    ['name', `"${name}"`],
    ...(id === undefined ? [] : [['id', id] as const]),
    ...maybe(draw, 'response', () => response),
    ...(chance(draw, 6) ? [['parts', '[{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]'] as const] : []),
  ])
  return `{"${pick(draw, 'functionResponse', 'function_response')}":${result}}`
}
