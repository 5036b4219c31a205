import { isJsonObject } from '../../core/index.ts'
import type { JsonObject } from '../../core/index.ts'
import { branchesOf } from './branches.ts'
import { chatMessages } from './chat-messages.ts'
import type { Form, FoundSession } from './form.ts'
import { objectIn, objectsIn, textIn } from './json-access.ts'
import { answeredSessions, sessionLines } from './session-lines.ts'

/** `~/.pi/agent/sessions/**.jsonl`. */
export const pi: Form = {
  name: 'pi session',
  ofAgent: true,
  isWhole: true,
  recognise: (value) => {
    if (!isJsonObject(value)) return false
    if (value['type'] === 'session') return 'cwd' in value && 'id' in value
    return 'parentId' in value && 'id' in value && typeof value['type'] === 'string'
  },
  read: (values) => {
    const lines = sessionLines(values).flatMap(({ line, place }) => {
      const id = textIn(line, 'id')
      return id === undefined || line['type'] === 'session'
        ? []
        : [{ line, place, id, parent: textIn(line, 'parentId') }]
    })
    const name = textIn(sessionLines(values)[0]?.line, 'id')
    const answered = new Set<string>()
    const sessions = branchesOf(lines).flatMap((branch): readonly FoundSession[] => {
      const answers = branch.filter(({ line }) => objectIn(line, 'message')['role'] === 'assistant')
      const sharedAnswers = answers.findIndex(({ id }) => !answered.has(id))
      for (const { id } of answers) answered.add(id)
      const [first] = branch
      if (first === undefined || sharedAnswers < 0) return []
      const body = bodyOf(branch.map(({ line }) => line))
      return [{ kind: 'session', ...(name !== undefined && { id: name }), body, place: first.place, sharedAnswers }]
    })
    return answeredSessions(sessions, values, { form: 'pi session', remedy: 'Give one in which the model answered' })
  },
}

function bodyOf(lines: readonly JsonObject[]): JsonObject {
  const said = lines.flatMap((line): readonly JsonObject[] => {
    const message = objectIn(line, 'message')
    if (message['role'] === undefined) return []
    const sections = Object.values(objectIn(message, 'sections')).filter((text) => typeof text === 'string')
    const content = sections.length > 0 ? sections.join('\n\n') : message['content']
    return [{ ...message, ...(content !== undefined && { content }), ts: line['timestamp'] ?? null }]
  })
  const model = said.map((message) => textIn(message, 'model')).find((name) => name !== undefined)
  const tools = said.flatMap((message) => objectsIn(message, 'toolsAdded'))
  return {
    ...(model !== undefined && { model }),
    ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
    messages: chatMessages(said),
  }
}
