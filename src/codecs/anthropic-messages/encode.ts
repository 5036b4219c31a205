import type { Breakpoint, JsonNode, JsonTree, PackMessage, ToolDefinition } from '../../core/index.ts'
import { isInstruction, isTrue, member, memberIndex, present, stringAt } from '../../core/index.ts'
import { plainShape } from '../body-shape.ts'
import { nodeOfPath } from '../item-place.ts'
import { allOf, blockShown, stringEdit } from '../media/media-words.ts'
import { parseDataUrl } from '../media/media-data.ts'
import type { MediaWords } from '../media/media-words.ts'
import type { Around, ItemPlace, RequestWriter, ShownMedia, TextPlace } from '../request-writer.ts'
import type { Edit } from '../splice.ts'
import { citedMessage } from './search-result.ts'
import { systemWords } from '../place-instructions.ts'
import { appendChild } from '../splice.ts'

const longTtlMs = 3_600_000

/** Blocks that may carry `cache_control`; thinking and sub-blocks may not. */
const markable: ReadonlySet<string | undefined> = new Set([
  'text',
  'image',
  'document',
  'search_result',
  'tool_use',
  'tool_result',
])

export const anthropicWriter: RequestWriter = {
  textPlace,
  showMedia,
  mediaBytes,
  mark,
  mostMarkers: 4,
  // A marker at the root has the provider mark the end by itself.
  ownsCaching: (_, tree) => present(tree, tree.root, 'cache_control') !== undefined,
  toolEdit: (_, tools, tool) => appendChild(tools, anthropicToolJson(tool)),
  layOut,
  mayBegin: (role) => role === 'user',
  spoken: (role = 'user', text) => (role === 'user' ? JSON.stringify({ role, content: text }) : undefined),
  cited: citedMessage,
  // A system message is last, or an assistant's follows it.
  mayFollow: (role) => role !== 'system',
  between,
}

/** A system message comes behind one of the user and before the model's, if there is any; elsewhere its words are the user's, marked. */
function between(tree: JsonTree, message: JsonNode, { before, after }: Around): readonly Edit[] {
  const role = present(tree, message, 'role')
  if (role === undefined || stringAt(tree, message, 'role') !== 'system') return []
  if ((before === 'user' || before === 'tool') && (after === undefined || after === 'assistant')) return []
  const content = member(tree, message, 'content')
  const texts = content?.kind === 'array' ? content.children.map((block) => member(tree, block, 'text')) : [content]
  const [first, last] = [texts[0], texts.at(-1)]
  const asUser = [{ start: role.start, end: role.end, text: '"user"' }]
  if (first?.kind !== 'string' || last?.kind !== 'string') return asUser
  return [
    ...asUser,
    { start: first.start + 1, end: first.start + 1, text: escaped(systemWords.opens) },
    { start: last.end - 1, end: last.end - 1, text: escaped(systemWords.closes) },
  ]
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function textPlace(tree: JsonTree, { path, node }: ItemPlace): TextPlace | undefined {
  if (path.root === 't') return { node, form: 'json' }
  if (node.kind === 'string') return { node, form: 'words' }
  switch (stringAt(tree, node, 'type')) {
    case 'text':
      return words(member(tree, node, 'text'))
    case 'tool_use': {
      const input = present(tree, node, 'input')
      return input === undefined ? undefined : { node: input, form: 'json' }
    }
    case 'tool_result': {
      const content = present(tree, node, 'content')
      return words(content?.kind === 'array' ? member(tree, content.children[0], 'text') : content)
    }
    case 'search_result':
      return words(member(tree, member(tree, node, 'content')?.children[0], 'text'))
    default:
      return undefined
  }
}

const mediaWords: MediaWords = { type: 'text', kept: new Set(['cache_control']) }

function mediaBytes(tree: JsonTree, block: JsonNode, url: string): readonly Edit[] | undefined {
  const source = present(tree, block, 'source')
  const bytes = parseDataUrl(url)
  const data = stringEdit(member(tree, source, 'data'), bytes?.data)
  const mimeType = stringEdit(member(tree, source, 'media_type'), bytes?.mimeType)
  return data && mimeType && [...data, ...mimeType]
}

/** The only block of a result stands in its place. */
function showMedia(tree: JsonTree, media: readonly ShownMedia[], edits: readonly Edit[]): readonly Edit[] | undefined {
  const shown = media.map((one) => {
    const { node } = one.place
    const isResult = stringAt(tree, node, 'type') === 'tool_result'
    const block = isResult ? member(tree, node, 'content')?.children[0] : node
    return blockShown(tree, block, one, { words: mediaWords, bytes: mediaBytes })
  })
  return allOf(edits, shown)
}

function words(node: JsonNode | undefined): TextPlace | undefined {
  return node?.kind === 'string' ? { node, form: 'words' } : undefined
}

function mark(
  tree: JsonTree,
  { path, node }: ItemPlace,
  { ttlMs }: Pick<Breakpoint, 'ttlMs'>,
): readonly Edit[] | undefined {
  const marker = ttlMs >= longTtlMs ? '{"type":"ephemeral","ttl":"1h"}' : '{"type":"ephemeral"}'
  if (node.kind === 'string') {
    return [
      { start: node.start, end: node.start, text: '[{"type":"text","text":' },
      { start: node.end, end: node.end, text: `,"cache_control":${marker}}]` },
    ]
  }
  const { part: _, ...blockPath } = path
  const block = path.part === undefined ? node : nodeOfPath(tree, plainShape, blockPath)
  if (block === undefined) return undefined
  if (
    path.root === 't'
      ? isTrue(tree, member(tree, block, 'defer_loading'))
      : !markable.has(stringAt(tree, block, 'type'))
  ) {
    return undefined
  }
  const old = block.children[memberIndex(tree, block, 'cache_control')]
  if (old !== undefined) return [{ start: old.start, end: old.end, text: marker }]
  return [appendChild(block, `"cache_control":${marker}`)]
}

export function anthropicToolJson(tool: ToolDefinition): string {
  return JSON.stringify({ name: tool.name, description: tool.description, input_schema: tool.schema })
}

function layOut(tree: JsonTree, messages: readonly PackMessage[], media: readonly string[]): readonly Edit[] {
  const isSystem = ({ role }: PackMessage): boolean => isInstruction(role)
  const system = messages
    .filter(isSystem)
    .map((message) => message.text)
    .join('\n\n')
  const turns = messages.filter((message) => !isSystem(message))
  const raws = turns.map(({ role, text }, index) => {
    const shown = index === turns.length - 1 ? media : []
    const said = JSON.stringify(text)
    const content = shown.length === 0 ? said : `[{"type":"text","text":${said}},${shown.join(',')}]`
    return `{"role":"${role === 'assistant' ? 'assistant' : 'user'}","content":${content}}`
  })
  const edits = replaceMember(tree, 'messages', `[${raws.join(',')}]`)
  return system === '' ? edits : [...edits, ...replaceMember(tree, 'system', JSON.stringify(system))]
}

function replaceMember(tree: JsonTree, name: string, text: string): readonly Edit[] {
  const node = member(tree, tree.root, name)
  if (node === undefined) return [appendChild(tree.root, `${JSON.stringify(name)}:${text}`)]
  return [{ start: node.start, end: node.end, text }]
}
