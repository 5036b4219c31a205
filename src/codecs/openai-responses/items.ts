import { stringIn } from '../json-members.ts'
import type { JsonNode, JsonTree, JsonValue, Role, ToolCall } from '../../core/index.ts'
import { isJsonObject, stringAt } from '../../core/index.ts'

/** An item of a request or of a reply; a message may leave its type out. */
export function itemType(tree: JsonTree, item: JsonNode): string | undefined {
  return stringAt(tree, item, 'type') ?? (stringAt(tree, item, 'role') === undefined ? undefined : 'message')
}

/** Calls that the client answers, with the member that says what is called for. */
const calls: Readonly<Record<string, string>> = {
  function_call: 'arguments',
  custom_tool_call: 'input',
  local_shell_call: 'action',
  shell_call: 'action',
  apply_patch_call: 'operation',
  computer_call: 'action',
}

/** The member of a call that says what is called for; undefined for what is no call, or one that the provider answers. */
export function callMember(type: string | undefined, execution: JsonValue | undefined): string | undefined {
  if (type === 'tool_search_call') return execution === 'client' ? 'arguments' : undefined
  return type !== undefined && Object.hasOwn(calls, type) ? calls[type] : undefined
}

/** What answers such a call. */
export function isResult(type: string, execution: JsonValue | undefined): boolean {
  return type.endsWith('_output') && callMember(type.slice(0, -ending.length), execution) !== undefined
}

const ending = '_output'

/** Whether an input item brings tools, as the member `tools` of a body does. */
export function listsTools(type: string | undefined): boolean {
  return type === 'additional_tools'
}

/** Asks the provider to compact what stands before it. */
export const compactionTrigger = 'compaction_trigger'

/** Items that only clients send, beside messages and results. */
const clientItems: ReadonlySet<string> = new Set(['additional_tools', 'configuration_update', 'mcp_approval_response'])

/** Whether the provider has run a shell by itself, in the midst of its reply: what it puts out has an id. */
function isProviders(tree: JsonTree, item: JsonNode, type: string): boolean {
  return type === 'shell_call_output' && stringAt(tree, item, 'id') !== undefined
}

/** Who speaks in an item that tells no role. */
export function roleOf(tree: JsonTree, item: JsonNode, type: string): Role {
  if (isResult(type, stringAt(tree, item, 'execution'))) return isProviders(tree, item, type) ? 'assistant' : 'tool'
  // It asks for something, as the user does, and is no instruction for what comes later.
  if (type === compactionTrigger) return 'user'
  return clientItems.has(type) ? 'developer' : 'assistant'
}

/** Whether an item is, or names, what a model has put out in one reply. */
export function isOfReply(tree: JsonTree, item: JsonNode): boolean {
  const type = itemType(tree, item)
  if (type === 'message') return stringAt(tree, item, 'role') === 'assistant'
  return type !== undefined && roleOf(tree, item, type) === 'assistant'
}

/** The name of a call: that of its function, or what its type says. */
export function callName(type: string, name: string | undefined): string {
  return name ?? type.slice(0, -'_call'.length)
}

/** A call of a reply that somebody has to answer who is not the provider. */
export function toolCallOf(item: JsonValue | undefined): ToolCall | undefined {
  if (!isJsonObject(item)) return undefined
  const type = stringIn(item, 'type') ?? ''
  const wanted = callMember(type, item['execution'])
  const id = stringIn(item, 'call_id') ?? stringIn(item, 'id')
  if (wanted === undefined || id === undefined) return undefined
  const said = item[wanted] ?? ''
  return {
    id,
    name: callName(type, stringIn(item, 'name')),
    arguments: typeof said === 'string' ? said : JSON.stringify(said),
  }
}
