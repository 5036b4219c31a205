import { isJsonObject } from '../../core/index.ts'
import type { JsonObject } from '../../core/index.ts'
import { resultText } from './chat-messages.ts'
import { joinedAnswer } from './joined-answer.ts'
import { objectIn, objectsIn, textIn } from './json-access.ts'
import type { WireMessage, WireMessages } from './wire-message.ts'

/** The messages of a body for the Gemini API. */
export function geminiMessages(body: JsonObject): WireMessages {
  const config = objectIn(body, 'config')
  const { contents } = body
  const list: readonly unknown[] =
    typeof contents === 'string'
      ? [{ role: 'user', parts: [{ text: contents }] }]
      : Array.isArray(contents)
        ? contents
        : []
  const ids = pairedIds()
  const messages: WireMessage[] = []
  for (const [at, content] of list.entries()) {
    for (const raw of geminiContent(objectIn(content), ids)) {
      const last = messages.at(-1)
      const isSame = raw['role'] === 'assistant' && objectIn(last?.raw)['role'] === 'assistant'
      if (isSame && last) messages[messages.length - 1] = { raw: joinedAnswer(objectIn(last.raw), raw), at: last.at }
      else messages.push({ raw, at })
    }
  }
  const system = body['systemInstruction'] ?? body['system_instruction'] ?? config['systemInstruction']
  const words =
    typeof system === 'string' ? system : objectsIn(system, 'parts').map((part) => textIn(part, 'text') ?? '')
  const text = typeof words === 'string' ? words : words.join('\n')
  const tools = [body['tools'], config['tools']].flatMap((group) =>
    objectsIn(group).flatMap((tool): readonly JsonObject[] => {
      const declared = [...objectsIn(tool, 'functionDeclarations'), ...objectsIn(tool, 'function_declarations')]
      return declared.length > 0 ? declared : [tool]
    }),
  )
  return {
    dialect: 'gemini',
    member: 'contents',
    messages,
    front: { ...(tools.length > 0 && { tools }), ...(text !== '' && { system: text }) },
  }
}

interface PairedIds {
  call(part: JsonObject): string
  result(part: JsonObject): string
}

/** Most calls of Gemini have no id: the first result of a name answers the first call of that name, and so on. */
function pairedIds(): PairedIds {
  const numbered = (): ((part: JsonObject) => string) => {
    const counts = new Map<string, number>()
    return (part) => {
      const name = textIn(part, 'name') ?? ''
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      return textIn(part, 'id') ?? `${name}#${count}`
    }
  }
  return { call: numbered(), result: numbered() }
}

function geminiContent(content: JsonObject, ids: PairedIds): readonly JsonObject[] {
  const time = content['ts'] === undefined ? {} : { ts: content['ts'] }
  const parts = objectsIn(content, 'parts')
  const results = parts.flatMap((part): readonly JsonObject[] => {
    const given = part['functionResponse'] ?? part['function_response']
    if (!isJsonObject(given)) return []
    const name = textIn(given, 'name')
    const said = resultText(given['response'] ?? '')
    return [{ ...time, role: 'tool', tool_call_id: ids.result(given), ...(name && { name }), content: said }]
  })
  const calls = parts.flatMap((part): readonly JsonObject[] => {
    const call = part['functionCall'] ?? part['function_call']
    if (!isJsonObject(call)) return []
    const text = JSON.stringify(call['args'] ?? {})
    return [{ id: ids.call(call), name: textIn(call, 'name') ?? '', arguments: text }]
  })
  const words = parts.flatMap((part) => geminiWords(part))
  const role = content['role'] === 'model' ? 'assistant' : content['role'] === 'system' ? 'system' : 'user'
  const hasWords = words.length > 0 || calls.length > 0 || results.length === 0
  return [
    ...results,
    ...(hasWords ? [{ ...time, role, content: words, ...(calls.length > 0 && { tool_calls: calls }) }] : []),
  ]
}

function geminiWords(part: JsonObject): readonly JsonObject[] {
  if (typeof part['text'] === 'string') {
    return part['thought'] === true
      ? [{ type: 'thinking', thinking: part['text'] }]
      : part['text'] === ''
        ? []
        : [{ type: 'text', text: part['text'] }]
  }
  if ('inlineData' in part || 'fileData' in part || 'inline_data' in part || 'file_data' in part)
    return [{ type: 'image' }]
  const known = ['functionCall', 'functionResponse', 'function_call', 'function_response', 'thoughtSignature']
  const others = Object.keys(part).filter((name) => !known.includes(name))
  return others.length === 0 ? [] : [{ ...part, type: others[0] ?? 'unknown' }]
}
