// Generated request bodies of the Responses dialect.
import { many, maybe, rawArray, rawInput, rawObject, rawOdd, rawString } from './bodies.ts'
import type { Draw } from './draw.ts'
import { chance, pick, text } from './draw.ts'

interface Conversation {
  readonly draw: Draw
  calls: number
}

export function responsesBody(draw: Draw): string {
  const conversation: Conversation = { draw, calls: 0 }
  const items = [...many(draw, 1, () => message(draw, 'developer')), ...many(draw, 4, () => step(conversation)).flat()]
  if (items.length === 0) items.push(message(draw, 'user'))
  return rawObject(draw, [
    ['model', rawString(draw, 'gpt-5.6-sol')],
    ...maybe(draw, 'tools', () =>
      rawArray(
        draw,
        many(draw, 3, (index) => tool(draw, index)),
      ),
    ),
    ...maybe(draw, 'instructions', () => rawString(draw, text(draw))),
    ['input', rawArray(draw, items)],
    ...maybe(draw, 'include', () => '["reasoning.encrypted_content"]'),
    ...maybe(draw, 'store', () => pick(draw, 'true', 'false', 'null')),
    ...maybe(draw, 'previous_response_id', () => pick(draw, '"resp_1"', 'null')),
    ...maybe(draw, 'temperature', () => rawOdd(draw)),
    ...maybe(draw, 'reasoning', () => '{"effort":"high","summary":"auto"}'),
    ...maybe(draw, 'max_output_tokens', () => pick(draw, '100', 'null')),
    ...maybe(draw, 'stream', () => pick(draw, 'true', 'false', 'null')),
  ])
}

function message(draw: Draw, role: string): string {
  return rawObject(draw, [
    ...maybe(draw, 'type', () => '"message"'),
    ['role', rawString(draw, role)],
    ['content', content(draw)],
  ])
}

function content(draw: Draw, least = 0): string {
  if (chance(draw, 2)) return rawString(draw, text(draw))
  const parts = many(draw, 3, () => part(draw))
  return rawArray(draw, parts.length < least ? [textPart(draw)] : parts)
}

function part(draw: Draw): string {
  const image = '{"type":"input_image","image_url":"data:image/png;base64,AAAA","detail":"auto"}'
  if (!chance(draw, 4)) return textPart(draw)
  return pick(draw, image, '{"type":"x_new","n":1.0}', '{"type":"input_file","file_id":"f"}')
}

function textPart(draw: Draw): string {
  return rawObject(draw, [
    ['type', '"input_text"'],
    ['text', rawString(draw, text(draw))],
  ])
}

function tool(draw: Draw, index: number): string {
  if (chance(draw, 6)) {
    const listed = `{"type":"namespace","name":"space${index}","tools":[{"type":"function","name":"inner${index}","n":1.0}]}`
    return pick(draw, `{"type":"custom","name":"free${index}"}`, '{"type":"web_search","n":5.0}', listed)
  }
  return rawObject(draw, [
    ['type', '"function"'],
    ['name', `"tool${index}"`],
    ...maybe(draw, 'description', () => rawString(draw, text(draw))),
    ...maybe(draw, 'parameters', () => '{"type":"object","properties":{"a":{"type":"number","minimum":1.0}}}'),
    ...maybe(draw, 'strict', () => pick(draw, 'true', 'false', 'null')),
  ])
}

/** A message of the user, or a reply with its results. */
function step(conversation: Conversation): readonly string[] {
  const { draw } = conversation
  if (chance(draw, 3)) return [message(draw, 'user')]
  if (chance(draw, 8)) return [otherItem(draw)]
  const ids = many(draw, 3, () => {
    conversation.calls += 1
    return `call_${conversation.calls}`
  })
  const said = many(draw, 1, () => assistantMessage(draw))
  const isWhole = ids.length + said.length > 0
  const reasoning = chance(draw, 3) && isWhole ? [reasoningItem(draw)] : []
  const results = ids.map((id) => resultItem(draw, id))
  return [...reasoning, ...said, ...ids.map((id) => callItem(draw, id)), ...(chance(draw, 6) ? [] : results)]
}

/** Of no role that others have: what goes back as it came. */
function otherItem(draw: Draw): string {
  const tools = rawArray(
    draw,
    many(draw, 3, (index) => tool(draw, index + 10)),
  )
  return pick(
    draw,
    `{"type":"additional_tools","role":"developer","tools":${tools}}`,
    '{"type":"compaction", "id":"cmp_1","encrypted_content":"gAAA\\u0041=="}',
    '{"type":"compaction_trigger"}',
    '{"type":"item_reference","id" : "msg_9"}',
    '{"type":"additional_tools","role":"developer","tools":[{"type":"function","name":"late","n":1.0}]}',
    '{"type":"tool_search_call","id":"ts_1","execution":"server","call_id":null,"arguments":{"q":1.0}}',
    '{"type":"tool_search_output","id":"tso_1","execution":"server","call_id":null,"tools":[]}',
    '{"type":"x_of_tomorrow","n":1e2}',
  )
}

function assistantMessage(draw: Draw): string {
  const words = rawObject(draw, [
    ['type', '"output_text"'],
    ['text', rawString(draw, text(draw))],
    ['annotations', pick(draw, '[]', '[{"type":"url_citation","start_index":0,"end_index":1.0}]')],
  ])
  return rawObject(draw, [
    ['type', '"message"'],
    ['id', rawString(draw, 'msg_1')],
    ['role', '"assistant"'],
    ['content', chance(draw, 4) ? rawString(draw, text(draw)) : rawArray(draw, [words])],
    ...maybe(draw, 'phase', () => pick(draw, '"commentary"', '"final_answer"')),
  ])
}

function reasoningItem(draw: Draw): string {
  return rawObject(draw, [
    ['type', '"reasoning"'],
    ['id', '"rs_1"'],
    ['summary', pick(draw, '[]', '[{"type":"summary_text","text":"hm"}]')],
    ...maybe(draw, 'encrypted_content', () => rawString(draw, 'c2ln+/==')),
  ])
}

function callItem(draw: Draw, id: string): string {
  const isCustom = id.endsWith('3')
  return rawObject(draw, [
    ['type', isCustom ? '"custom_tool_call"' : '"function_call"'],
    ['call_id', `"${id}"`],
    ['name', '"tool0"'],
    [isCustom ? 'input' : 'arguments', rawString(draw, rawInput(draw))],
    ...maybe(draw, 'id', () => `"fc_${id}"`),
    ...maybe(draw, 'status', () => '"completed"'),
  ])
}

function resultItem(draw: Draw, id: string): string {
  return rawObject(draw, [
    ['type', id.endsWith('3') ? '"custom_tool_call_output"' : '"function_call_output"'],
    ['call_id', `"${id}"`],
    ['output', content(draw, 1)],
  ])
}
