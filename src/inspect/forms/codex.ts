import { isJsonObject } from '../../core/index.ts'
import type { JsonObject } from '../../core/index.ts'
import type { Form, FoundSession, Located } from './form.ts'
import { objectIn, objectsIn, textIn } from './json-access.ts'
import { answeredSessions, sessionLines } from './session-lines.ts'
import { wireMessages } from './wire-messages.ts'

const ownTypes: ReadonlySet<unknown> = new Set([
  'session_meta',
  'response_item',
  'event_msg',
  'turn_context',
  'compacted',
  'world_state',
  'token_usage_record',
])
const itemTypes: ReadonlySet<unknown> = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'web_search_call',
])

/** `~/.codex/sessions/**.jsonl`; the first versions wrote items without an envelope. */
export const codex: Form = {
  name: 'Codex rollout',
  ofAgent: true,
  isWhole: true,
  recognise: (value) => {
    if (!isJsonObject(value)) return false
    if (ownTypes.has(value['type']) && isJsonObject(value['payload'])) return true
    if (typeof value['record_type'] === 'string') return true
    if (itemTypes.has(value['type'])) return value['role'] !== undefined || value['type'] !== 'message'
    return value['timestamp'] !== undefined && ('instructions' in value || 'git' in value) && !('messages' in value)
  },
  read: (values) => {
    const sessions = segmentsOf(values).filter(({ items }) => items.some(isAnswer))
    const remedy = 'Give one in which the model answered'
    return answeredSessions(sessions.map(asSession), values, { form: 'Codex rollout', remedy })
  },
}

interface Segment {
  id: string | undefined
  model: string | undefined
  instructions: string | undefined
  items: JsonObject[]
  /** Answers among the items that it began with: they were asked for before. */
  sharedAnswers: number
  place: Located['place']
}

/** A compaction begins anew with other items, which is a session of its own. */
function segmentsOf(values: readonly Located[]): readonly Segment[] {
  const segments: Segment[] = []
  for (const { line, place } of sessionLines(values)) {
    let current = segments.at(-1)
    if (current === undefined) {
      current = { id: undefined, model: undefined, instructions: undefined, items: [], sharedAnswers: 0, place }
      segments.push(current)
    }
    const payload = isJsonObject(line['payload']) ? line['payload'] : line
    const type = line['type']
    if (type === 'turn_context') current.model = textIn(payload, 'model') ?? current.model
    else if (type === 'compacted') {
      const items = compactedItems(current.items, payload)
      segments.push({ ...current, items, sharedAnswers: answersIn(items), place })
    } else if (type === 'session_meta' || ('instructions' in payload && !itemTypes.has(type))) {
      current.id ??= textIn(payload, 'id', 'session_id')
      current.instructions ??= textIn(objectIn(payload, 'base_instructions'), 'text') ?? textIn(payload, 'instructions')
    } else if (itemTypes.has(payload['type']) || type === 'response_item') {
      const ts = line['timestamp']
      current.items.push({ ...payload, ...(typeof ts === 'string' && { ts }) })
    }
  }
  return segments
}

/** What stands after a compaction: the history that it names, or the words of the user and the summary. */
function compactedItems(before: readonly JsonObject[], payload: JsonObject): JsonObject[] {
  const replacement = objectsIn(payload, 'replacement_history')
  if (replacement.length > 0) return [...replacement]
  const said = before.filter(({ role }) => role === 'user' || role === 'developer')
  const summary = textIn(payload, 'message') ?? ''
  return [...said, { type: 'message', role: 'user', content: [{ type: 'input_text', text: summary }] }]
}

function isAnswer({ type, role }: JsonObject): boolean {
  return role === 'assistant' || (typeof type === 'string' && type.endsWith('_call'))
}

function answersIn(input: readonly JsonObject[]): number {
  const { messages } = wireMessages({ input }, 'openai-responses')
  return messages.filter(({ raw }) => objectIn(raw)['role'] === 'assistant').length
}

function asSession({ id, model, instructions, items, sharedAnswers, place }: Segment, index: number): FoundSession {
  return {
    kind: 'session',
    ...(id !== undefined && { id: index === 0 ? id : `${id}#${index + 1}` }),
    body: {
      ...(model !== undefined && { model }),
      ...(instructions !== undefined && { instructions }),
      input: items,
    },
    place,
    dialect: 'openai-responses',
    sharedAnswers,
  }
}
