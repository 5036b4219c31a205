import type { JsonObject } from '../../core/index.ts'
import { OpenCalls, callNames, checkName, checkSchema, objectIn, objectsIn, textIn } from './fault.ts'
import type { Refuse } from './fault.ts'

const roles = ['system', 'developer', 'user', 'assistant']

/** What OpenAI refuses at `/v1/responses` and `/v1/responses/compact`. */
export function checkOpenaiResponses(body: JsonObject, refuse: Refuse): void {
  for (const [at, tool] of objectsIn(body['tools']).entries()) {
    if (tool['type'] !== 'function') continue
    checkName(refuse, `tools[${at}].name`, { ...callNames, name: textIn(tool, 'name') ?? '' })
    if (tool['parameters'] !== undefined) checkSchema(refuse, `tools[${at}].parameters`, objectIn(tool, 'parameters'))
  }
  if (/^(?:gpt-5|o\d)/.test(textIn(body, 'model') ?? ''))
    for (const name of ['temperature', 'top_p'])
      if (body[name] !== undefined && body[name] !== 1) refuse(name, 'is not supported with this model')
  const calls = new OpenCalls(refuse)
  for (const [at, item] of objectsIn(body['input']).entries()) checkItem(item, { path: `input[${at}]`, calls, refuse })
}

interface ItemPlace {
  readonly path: string
  readonly calls: OpenCalls
  readonly refuse: Refuse
}

function checkItem(item: JsonObject, { path, calls, refuse }: ItemPlace): void {
  const type = textIn(item, 'type') ?? 'message'
  if (type === 'message' && !roles.includes(textIn(item, 'role') ?? '')) refuse(`${path}.role`, 'unknown role')
  if (type === 'function_call') {
    const id = textIn(item, 'call_id') ?? ''
    if (id === '' || id.length > 64) refuse(`${path}.call_id`, 'has 1 to 64 characters')
    calls.call(path, id, false)
    checkName(refuse, `${path}.name`, { ...callNames, name: textIn(item, 'name') ?? '' })
    if (typeof item['arguments'] !== 'string') refuse(`${path}.arguments`, 'is a string')
  }
  if (type === 'function_call_output') calls.result(path, textIn(item, 'call_id') ?? '')
}
