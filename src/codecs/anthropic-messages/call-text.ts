import { isJsonObject } from '../../core/index.ts'
import type { CallPlace, CallText } from '../call-text.ts'
import { decodeString, member, rawText, stringAt } from '../json-node.ts'
import { parseData } from '../reply-body.ts'
import type { JsonTree } from '../scan-json.ts'
import { scanJson } from '../scan-json.ts'
import type { SseEvent } from '../sse.ts'

/** Input deltas of `tool_use` blocks; the provider's own tools have run when a client hears of them. */
export const anthropicCallText: CallText = {
  inEvent: ({ data }) => (data.includes('"partial_json"') ? scanned(data, pieces) : []),
  foreignCall,
  endsCalls: ({ data }) => /"type":\s*"(?:content_block_stop|message_delta|message_stop|error)"/.test(data),
  addition: ({ call }, text, like) => ({
    ...like,
    data: JSON.stringify({
      type: 'content_block_delta',
      index: Number(call),
      delta: { type: 'input_json_delta', partial_json: text },
    }),
  }),
  inReply: (body) => scanned(body, inputs),
}

function scanned(json: string, find: (tree: JsonTree) => readonly CallPlace[]): readonly CallPlace[] {
  try {
    return find(scanJson(json))
  } catch {
    return []
  }
}

function pieces(tree: JsonTree): readonly CallPlace[] {
  const index = member(tree, tree.root, 'index')
  const delta = member(tree, tree.root, 'delta')
  const piece = member(tree, delta, 'partial_json')
  if (index === undefined || piece?.kind !== 'string' || stringAt(tree, delta, 'type') !== 'input_json_delta') return []
  const { start, end } = piece
  return [{ call: rawText(tree, index), start, end, text: decodeString(tree, piece), form: 'json', isQuoted: true }]
}

function foreignCall({ data }: SseEvent): string | undefined {
  if (!data.includes('_tool_use"')) return undefined
  const event = parseData(data)
  const block = isJsonObject(event) ? event['content_block'] : undefined
  if (!isJsonObject(event) || !isJsonObject(block) || block['type'] === 'tool_use') return undefined
  return String(event['index'])
}

function inputs(tree: JsonTree): readonly CallPlace[] {
  const blocks = member(tree, tree.root, 'content')?.children ?? []
  return blocks.flatMap((block, index): CallPlace[] => {
    const input = member(tree, block, 'input')
    if (input === undefined || stringAt(tree, block, 'type') !== 'tool_use') return []
    const { start, end } = input
    return [{ call: String(index), start, end, text: rawText(tree, input), form: 'json', isQuoted: false }]
  })
}
