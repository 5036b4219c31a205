import { isJsonObject } from '../../core/index.ts'
import type { CallPlace, CallText } from '../call-text.ts'
import { decodeString, member, rawText } from '../json-node.ts'
import { parseData } from '../reply-body.ts'
import type { JsonNode, JsonTree } from '../scan-json.ts'
import { scanJson } from '../scan-json.ts'
import type { SseEvent } from '../sse.ts'

/** Arguments of functions, and input of free-form tools, in every choice. */
export const openaiCallText: CallText = {
  inEvent: ({ data }) => (data.includes('"tool_calls"') ? scanned(data, 'delta') : []),
  foreignCall: () => undefined,
  endsCalls: ({ data }) => data.trim() === '[DONE]' || /"finish_reason":\s*"|^\s*\{\s*"error":/.test(data),
  addition,
  inReply: (body) => scanned(body, 'message'),
}

function scanned(json: string, holder: 'delta' | 'message'): readonly CallPlace[] {
  try {
    const tree = scanJson(json)
    const choices = member(tree, tree.root, 'choices')?.children ?? []
    return choices.flatMap((choice, index) => {
      const calls = member(tree, member(tree, choice, holder), 'tool_calls')?.children ?? []
      return calls.flatMap((call, at) =>
        placeOf(tree, call, `${indexOf(tree, choice, index)}.${indexOf(tree, call, at)}`),
      )
    })
  } catch {
    return []
  }
}

function indexOf(tree: JsonTree, node: JsonNode, otherwise: number): string {
  const index = member(tree, node, 'index')
  return index === undefined ? String(otherwise) : rawText(tree, index)
}

const argumentsOf = [
  ['function', 'arguments', 'json'],
  ['custom', 'input', 'plain'],
] as const

function placeOf(tree: JsonTree, node: JsonNode, call: string): CallPlace[] {
  return argumentsOf.flatMap(([body, name, form]): CallPlace[] => {
    const found = member(tree, member(tree, node, body), name)
    if (found?.kind !== 'string') return []
    const { start, end } = found
    return [{ call, start, end, text: decodeString(tree, found), form, isQuoted: true }]
  })
}

function addition({ call, form }: CallPlace, text: string, like: SseEvent): SseEvent {
  const data = parseData(like.data)
  const { usage: _, ...frame } = isJsonObject(data) ? data : {}
  const [choice, index] = call.split('.').map(Number)
  const body = form === 'json' ? { function: { arguments: text } } : { custom: { input: text } }
  const delta = { tool_calls: [{ index, ...body }] }
  return { ...like, data: JSON.stringify({ ...frame, choices: [{ index: choice, delta, finish_reason: null }] }) }
}
