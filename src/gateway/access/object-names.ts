import { decodeString, isJsonObject, keyAt, member, scanJson } from '../../core/index.ts'
import type { JsonNode, JsonTree, JsonValue } from '../../core/index.ts'

/** Collections whose name has two parts. */
const twoParts = new Set(['chat/completions', 'messages/batches', 'fine_tuning/jobs', 'fine_tuning/checkpoints'])

/** The object of a provider that a path names, such as `resp_1` in `/v1/responses/resp_1/input_items`; undefined where it names none. */
export function objectInPath(path: string): string | undefined {
  const parts = (path.split('?', 1)[0] ?? '').split('/').slice(2)
  const [first = '', second = ''] = parts
  const name = parts[twoParts.has(`${first}/${second}`) ? 2 : 1]
  return name === undefined || name === '' ? undefined : decoded(name)
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Members of request bodies that name objects which a provider keeps, in the spellings of all dialects. */
const naming = [
  'previous_response_id',
  'conversation',
  'file_id',
  'file_ids',
  'input_file_id',
  'vector_store_id',
  'vector_store_ids',
  'container',
  'container_id',
  'cachedContent',
  'cached_content',
  'fileUri',
  'file_uri',
]
const namingMembers: ReadonlySet<string> = new Set(naming)
/** A reference to an item that a provider keeps: `{ "type": "item_reference", "id": … }`. */
const itemReference = 'item_reference'
/** A key or a value may be written with escapes. */
const mayName = new RegExp(`"(?:${[...naming, itemReference].join('|')})"|\\\\u00[2-7]`, 'i')

/** What clients and models write freely: a member there has the client's own meaning. */
const freeMembers: ReadonlySet<string> = new Set([
  'args',
  'arguments',
  'input_schema',
  'metadata',
  'parameters',
  'parametersJsonSchema',
  'response',
  'responseSchema',
  'responseJsonSchema',
  'response_schema',
  'schema',
])

/** All objects that a body names, duplicate members included. Throws where the body is no JSON. */
export function objectsInBody(text: string): readonly string[] {
  if (!mayName.test(text)) return []
  const tree = scanJson(text.replace(/^\uFEFF/, ''))
  const found = new Set<string>()
  visit(tree, tree.root, found)
  return [...found]
}

function visit(tree: JsonTree, node: JsonNode, found: Set<string>): void {
  if (node.kind === 'array') for (const child of node.children) visit(tree, child, found)
  if (node.kind !== 'object') return
  const reference = member(tree, node, 'type')
  const isReference = reference?.kind === 'string' && decodeString(tree, reference) === itemReference
  for (const [index, child] of node.children.entries()) {
    const key = keyAt(tree, node, index)
    if (namingMembers.has(key) || (isReference && key === 'id')) named(tree, child, found)
    // The input of a call is an object, the input of a request is a list.
    if (!freeMembers.has(key) && !(key === 'input' && child.kind === 'object')) visit(tree, child, found)
  }
}

function named(tree: JsonTree, node: JsonNode, found: Set<string>): void {
  if (node.kind === 'string') add(decodeString(tree, node), found)
  if (node.kind === 'array') for (const child of node.children) named(tree, child, found)
  if (node.kind !== 'object') return
  for (const [index, child] of node.children.entries())
    if (keyAt(tree, node, index) === 'id' && child.kind === 'string') add(decodeString(tree, child), found)
}

/** Google names a file by a URL whose last part is its name; other URLs name nothing that a provider keeps for somebody. */
function add(name: string, found: Set<string>): void {
  if (name === 'auto' || name === '') return
  if (!/^[a-z]+:/i.test(name)) return void found.add(lastPart(name))
  if (/\/files\/[^/]+$/.test(name)) found.add(lastPart(name))
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}

/** The objects that an answer, or an event of a stream, tells the client of: itself, and the items of a stored response. */
export function objectsInReply(reply: JsonValue | undefined): readonly string[] {
  if (!isJsonObject(reply)) return []
  const found = new Set<string>()
  const whole = [reply, reply['response'], reply['item'], reply['file']].filter(isJsonObject)
  for (const each of whole) {
    for (const name of [each['id'], each['name'], idOf(each['conversation']), each['container_id']])
      if (typeof name === 'string' && name !== '') found.add(lastPart(name))
    if (Array.isArray(each['output']))
      for (const item of each['output']) for (const id of objectsInReply(item)) found.add(id)
  }
  return [...found]
}

function idOf(value: JsonValue | undefined): JsonValue | undefined {
  return isJsonObject(value) ? value['id'] : value
}
