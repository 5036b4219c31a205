import type { JsonObject, JsonValue } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { branchesOf } from './branches.ts'
import type { TreeLine } from './branches.ts'
import type { Form, FoundSession, Located } from './form.ts'
import { objectIn, objectsIn, textIn } from './json-access.ts'
import { answeredSessions, sessionLines } from './session-lines.ts'
import type { SessionLine } from './session-lines.ts'

/** Types that other agents' sessions have, too, are told by `sessionId` and `message`. */
const ownTypes: ReadonlySet<unknown> = new Set([
  'file-history-snapshot',
  'queue-operation',
  'last-prompt',
  'api-request',
  'api-request-shape',
  'api-request-blob',
  'attachment',
  'progress',
])

/** `~/.claude/projects/**.jsonl`, and what `claude -p --output-format stream-json --verbose` prints. */
export const claudeCode: Form = {
  name: 'Claude Code session',
  ofAgent: true,
  isWhole: true,
  recognise: (value) => {
    if (!isJsonObject(value)) return false
    const { type } = value
    if (type === 'user' || type === 'assistant') {
      const named = value['sessionId'] ?? value['session_id'] ?? value['parentUuid']
      return named !== undefined && isJsonObject(value['message']) && value['message']['parts'] === undefined
    }
    if (type === 'summary') return value['leafUuid'] !== undefined
    if (type === 'system') return value['subtype'] === 'init' || 'parentUuid' in value
    return ownTypes.has(type) && ('sessionId' in value || 'messageId' in value || 'uuid' in value)
  },
  read: (values) => {
    const lines = treeLines(values)
    const chains = branchesOf(lines, (path) => withSiblings(path, lines))
    const answered = new Set<JsonValue | undefined>()
    const front = frontOf(values)
    const sessions = chains.flatMap((chain) => sessionOf(chain, front, answered))
    return answeredSessions(sessions, values, {
      form: 'Claude Code session',
      remedy: 'Give one in which Claude answered',
    })
  },
}

interface ClaudeLine extends SessionLine, TreeLine {}

/** Every line that the tree knows; of a stream, which names no parents, each follows the one before in its conversation. */
function treeLines(values: readonly Located[]): readonly ClaudeLine[] {
  const last = new Map<string, string>()
  return sessionLines(values).flatMap(({ line, place }): readonly ClaudeLine[] => {
    const isStreamed = !('parentUuid' in line) && isJsonObject(line['message'])
    const id = textIn(line, 'uuid') ?? (isStreamed ? `line ${place.line}` : undefined)
    if (id === undefined) return []
    const conversation = textIn(line, 'parent_tool_use_id') ?? ''
    const parent = isStreamed ? last.get(conversation) : textIn(line, 'parentUuid')
    if (isStreamed) last.set(conversation, id)
    return [{ line, place, id, parent }]
  })
}

/**
 * A message with several calls stands in several lines, and each result follows the line of its call: the path through
 * the last of them misses the others.
 */
function withSiblings(path: readonly ClaudeLine[], lines: readonly ClaudeLine[]): readonly ClaudeLine[] {
  const onPath = new Set(path.map(({ id }) => id))
  const messages = new Set<string | undefined>(path.map(messageId))
  messages.delete(undefined)
  const calls = new Set(
    lines.filter((one) => messages.has(messageId(one))).flatMap((one) => blocks(one).map((block) => block['id'])),
  )
  calls.delete(undefined)
  const end = path.at(-1)
  return lines.filter(
    (one) =>
      onPath.has(one.id) ||
      (one.line['isSidechain'] === end?.line['isSidechain'] &&
        (messages.has(messageId(one)) || blocks(one).some((block) => calls.has(block['tool_use_id'])))),
  )
}

function messageId({ line }: ClaudeLine): string | undefined {
  return line['type'] === 'assistant' ? textIn(line['message'], 'id') : undefined
}

function blocks({ line }: ClaudeLine): readonly JsonObject[] {
  return objectsIn(line['message'], 'content')
}

/** System prompt and tools, which newer versions write beside the messages. */
function frontOf(values: readonly Located[]): JsonObject {
  const shapes = values.filter(({ value }) => objectIn(value)['type'] === 'api-request-shape')
  const { system, tools } = objectIn(shapes.at(-1)?.value, 'shape')
  return { ...(system !== undefined && { system }), ...(Array.isArray(tools) && { tools }) }
}

function sessionOf(
  chain: readonly ClaudeLine[],
  front: JsonObject,
  answered: Set<JsonValue | undefined>,
): readonly FoundSession[] {
  const messages: JsonObject[] = []
  const ids: (string | undefined)[] = []
  for (const each of chain) {
    for (const message of messagesIn(each)) {
      const id = messageId(each)
      const index = id === undefined ? -1 : ids.indexOf(id)
      if (index < 0) {
        ids.push(id)
        messages.push(message)
      } else messages[index] = withMore(messages[index] ?? {}, message)
    }
  }
  const answers = ids.flatMap((id, index) => (messages[index]?.['role'] === 'assistant' ? [id ?? messages[index]] : []))
  const sharedAnswers = answers.findIndex((id) => !answered.has(id))
  for (const id of answers) answered.add(id)
  const [first] = chain
  if (sharedAnswers < 0 || first === undefined) return []
  const model = chain.map(modelIn).find((name) => name !== undefined)
  const name = textIn(first.line, 'sessionId', 'session_id')
  const suffix = first.line['isSidechain'] === true || first.line['parent_tool_use_id'] ? '/agent' : ''
  return [
    {
      kind: 'session',
      ...(name !== undefined && { id: `${name}${suffix}` }),
      body: { ...(model !== undefined && { model }), ...front, messages },
      place: first.place,
      dialect: 'anthropic-messages',
      sharedAnswers,
    },
  ]
}

function withMore(one: JsonObject, other: JsonObject): JsonObject {
  const content = [...objectsIn(one, 'content'), ...objectsIn(other, 'content')]
  return { ...one, content }
}

/** Errors that stand in place of an answer name a model that there is not. */
function modelIn({ line }: ClaudeLine): string | undefined {
  return isNoAnswer(line) ? undefined : textIn(line['message'], 'model')
}

/** Whether the program itself wrote a line of the assistant: an error, or that no answer was asked for. */
function isNoAnswer(line: JsonObject): boolean {
  return line['isApiErrorMessage'] === true || textIn(line['message'], 'model') === '<synthetic>'
}

/** What of a line the model was sent or wrote; errors that stand in place of an answer are neither. */
function messagesIn({ line }: ClaudeLine): readonly JsonObject[] {
  if (isNoAnswer(line) || line['isVisibleInTranscriptOnly'] === true) return []
  const ts = line['timestamp']
  const time = typeof ts === 'string' ? { ts } : {}
  if (line['type'] === 'attachment') {
    const role = line['renderedRole'] === 'system' ? 'system' : 'user'
    return objectsIn(line, 'rendered').map(({ content = '' }) => ({ ...time, role, content }))
  }
  const { role, content } = objectIn(line, 'message')
  if (line['type'] !== role || (role !== 'user' && role !== 'assistant')) return []
  return typeof content === 'string' || Array.isArray(content) ? [{ ...time, role, content }] : []
}
