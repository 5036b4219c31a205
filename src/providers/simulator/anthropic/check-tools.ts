import type { JsonObject } from '../../../core/index.ts'
import type { SimulatedCall } from '../dialect.ts'
import type { Check } from '../wire.ts'
import { objectOf, objectsOf, repeated, textOf } from '../read-json.ts'
import { contentBlocks, placedBlocks } from './message.ts'
import { invalid } from './invalid.ts'

type CallCheck = Check<SimulatedCall>

function idsOf(message: JsonObject | undefined, type: string, key: string): readonly string[] {
  return contentBlocks(message?.['content'])
    .filter((block) => block['type'] === type)
    .map((block) => textOf(block[key]) ?? '')
}

/** Neighbours of the same role are one message to the provider. */
function mergedMessages(body: JsonObject): readonly { readonly message: JsonObject; readonly index: number }[] {
  const merged: { message: JsonObject; index: number }[] = []
  for (const [index, message] of objectsOf(body['messages']).entries()) {
    const last = merged.at(-1)
    if (last === undefined || last.message['role'] !== message['role']) merged.push({ message, index })
    else {
      const content = [...contentBlocks(last.message['content']), ...contentBlocks(message['content'])]
      last.message = { ...last.message, content }
    }
  }
  return merged
}

const callsHaveResults: CallCheck = ({ body }) => {
  const messages = mergedMessages(body).filter(({ message }) => message['role'] !== 'system')
  for (const [position, { message, index }] of messages.entries()) {
    const calls = idsOf(message, 'tool_use', 'id')
    const results = new Set(leadingResults(messages[position + 1]?.message))
    const missing = calls.filter((id) => !results.has(id))
    if (missing.length > 0)
      return invalid(
        `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ` +
          `${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
      )
  }
  return undefined
}

/** Results count only ahead of everything else in the message. */
function leadingResults(message: JsonObject | undefined): readonly string[] {
  const blocks = contentBlocks(message?.['content'])
  const other = blocks.findIndex((block) => block['type'] !== 'tool_result')
  return idsOf({ content: other < 0 ? [...blocks] : blocks.slice(0, other) }, 'tool_result', 'tool_use_id')
}

const resultsHaveCalls: CallCheck = ({ body }) => {
  const messages = mergedMessages(body).filter(({ message }) => message['role'] !== 'system')
  for (const [position, { message, index }] of messages.entries()) {
    const calls = new Set(idsOf(messages[position - 1]?.message, 'tool_use', 'id'))
    const orphan = contentBlocks(message['content']).findIndex(
      (block) => block['type'] === 'tool_result' && !calls.has(textOf(block['tool_use_id']) ?? ''),
    )
    if (orphan >= 0)
      return invalid(
        `messages.${index}.content.${orphan}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ` +
          `${String(contentBlocks(message['content'])[orphan]?.['tool_use_id'])}. Each \`tool_result\` block must have ` +
          'a corresponding `tool_use` block in the previous message.',
      )
    const twice = repeated(idsOf(message, 'tool_result', 'tool_use_id'))[0]
    if (twice !== undefined)
      return invalid(
        `messages.${index}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${twice}`,
      )
  }
  return undefined
}

const callIdsAreUnique: CallCheck = ({ body }) => {
  const calls = placedBlocks(body).filter(({ block }) => block['type'] === 'tool_use')
  const bad = calls.find(({ block }) => !/^[a-zA-Z0-9_-]+$/.test(textOf(block['id']) ?? ''))
  if (bad) return invalid(`${bad.path}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`)
  const twice = repeated(calls.map(({ block }) => textOf(block['id']) ?? ''))
  return twice.length > 0 ? invalid('messages: `tool_use` ids must be unique') : undefined
}

const callInputsAreObjects: CallCheck = ({ body }) => {
  const bad = placedBlocks(body).find(
    ({ block }) => block['type'] === 'tool_use' && objectOf(block['input']) !== block['input'],
  )
  return bad && invalid(`${bad.path}.tool_use.input: Input should be a valid dictionary`)
}

const isOwnTool = (tool: JsonObject): boolean => tool['type'] == null || tool['type'] === 'custom'

const toolsAreWellFormed: CallCheck = ({ body }) => {
  const tools = objectsOf(body['tools'])
  for (const [index, tool] of tools.entries()) {
    if (!isOwnTool(tool)) continue
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(textOf(tool['name']) ?? ''))
      return invalid(`tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`)
    if (objectOf(tool['input_schema'])['type'] !== 'object')
      return invalid(`tools.${index}.custom.input_schema.type: Field required`)
  }
  const names = tools.map((tool) => textOf(tool['name'])).filter((name) => name !== undefined)
  return repeated(names).length > 0 ? invalid('tools: Tool names must be unique.') : undefined
}

const someToolIsLoaded: CallCheck = ({ body }) => {
  const tools = objectsOf(body['tools'])
  return tools.length > 0 && tools.every((tool) => tool['defer_loading'] === true)
    ? invalid('At least one tool must have defer_loading=false. All tools cannot be deferred.')
    : undefined
}

const referencesAreKnown: CallCheck = ({ body }) => {
  const names = new Set(objectsOf(body['tools']).map((tool) => tool['name']))
  const reference = placedBlocks(body)
    .flatMap(({ block }) => objectsOf(block['content']))
    .find((inner) => inner['type'] === 'tool_reference' && !names.has(inner['tool_name'] ?? null))
  return reference && invalid(`Tool reference '${String(reference['tool_name'])}' not found in available tools`)
}

const choiceIsPossible: CallCheck = ({ body, model }) => {
  const choice = objectOf(body['tool_choice'])
  const type = textOf(choice['type'])
  if (body['tool_choice'] == null) return undefined
  if (type === undefined || !['auto', 'any', 'tool', 'none'].includes(type))
    return invalid("tool_choice: Input tag does not match any of the expected tags: 'auto', 'any', 'none', 'tool'")
  const names = objectsOf(body['tools']).map((tool) => tool['name'])
  if (names.length === 0) return invalid('tool_choice: tool_choice may only be specified while providing tools')
  if (type === 'tool' && !names.includes(choice['name'] ?? null))
    return invalid(`tool_choice: Tool '${String(choice['name'])}' not found in provided tools`)
  const forced = type === 'any' || type === 'tool'
  if (forced && objectOf(body['thinking'])['type'] === 'enabled')
    return invalid('Thinking may not be enabled when tool_choice forces tool use.')
  const refuses = model.provider === 'anthropic' && !model.claude.forcedTools
  return forced && refuses ? invalid('tool_choice: forced tool use is not supported on this model') : undefined
}

export const pairChecks: readonly CallCheck[] = [resultsHaveCalls, callsHaveResults]

export const toolChecks: readonly CallCheck[] = [
  toolsAreWellFormed,
  someToolIsLoaded,
  choiceIsPossible,
  callIdsAreUnique,
  callInputsAreObjects,
  ...pairChecks,
  referencesAreKnown,
]
