import type { Breakpoint, WireExchange, JsonNode, JsonTree, PackMessage, ToolDefinition } from '../../core/index.ts'
import { isInstruction, member, memberIndex, present, stringAt } from '../../core/index.ts'
import { cannotEncode } from '../cannot-encode.ts'
import { allOf, blockShown, stringEdit } from '../media/media-words.ts'
import { parseDataUrl } from '../media/media-data.ts'
import type { MediaWords } from '../media/media-words.ts'
import type { ItemPlace, RequestWriter, ShownMedia, Showing, TextPlace } from '../request-writer.ts'
import type { Edit } from '../splice.ts'
import { appendChild } from '../splice.ts'
import type { ItemPath } from '../item-place.ts'
import { itemType, listsTools } from './items.ts'

/** Roles in which we may say something. */
const speaks: ReadonlySet<string> = new Set(['user', 'system', 'developer'])
const longTtlMs = 43_200_000
const markable: ReadonlySet<string | undefined> = new Set(['input_text', 'input_image', 'input_file'])
/** Items whose words may be written as parts. */
const takesParts: ReadonlySet<string | undefined> = new Set([
  'message',
  'function_call_output',
  'custom_tool_call_output',
])
const textTypes: ReadonlySet<string | undefined> = new Set(['input_text', 'output_text', 'text'])

export const responsesWriter: RequestWriter = {
  textPlace,
  showMedia,
  mediaBytes,
  mark,
  mostMarkers: 4,
  ownsCaching,
  toolEdit: (_, tools, tool) => appendChild(tools, responsesToolJson(tool)),
  layOut,
  mayBegin: () => true,
  spoken: (role = 'user', text) => (speaks.has(role) ? JSON.stringify({ role, content: text }) : undefined),
  // The items of one reply stay together: reasoning belongs to what follows it.
  mayFollow: (role, next) => role !== 'assistant' || next !== 'assistant',
  requireWhole,
  aroundWords: ['{"role":"user","content":', '}'],
}

function textPlace(tree: JsonTree, { path, node }: ItemPlace): TextPlace | undefined {
  if (path.root === 't' || isTool(tree, path)) return { node, form: 'json' }
  if (node.kind === 'string') return { node, form: 'words' }
  const text = textTypes.has(stringAt(tree, node, 'type')) ? member(tree, node, 'text') : undefined
  return text?.kind === 'string' ? { node: text, form: 'words' } : undefined
}

/** Whether a place is a tool that an input item brings. */
function isTool(tree: JsonTree, { root, index, list }: ItemPath): boolean {
  if (root !== 'm' || list === undefined) return false
  const item = member(tree, tree.root, 'input')?.children[index]
  return item !== undefined && listsTools(itemType(tree, item))
}

const mediaWords: MediaWords = { type: 'input_text', kept: new Set(['prompt_cache_breakpoint']) }

function mediaBytes(tree: JsonTree, block: JsonNode, url: string): readonly Edit[] | undefined {
  const sound = present(tree, block, 'input_audio')
  if (sound !== undefined) return stringEdit(member(tree, sound, 'data'), parseDataUrl(url)?.data)
  return stringEdit(member(tree, block, 'image_url'), url)
}

function showMedia(tree: JsonTree, media: readonly ShownMedia[], edits: readonly Edit[]): readonly Edit[] | undefined {
  return allOf(
    edits,
    media.map((shown) => blockShown(tree, shown.place.node, shown, { words: mediaWords, bytes: mediaBytes })),
  )
}

/** Explicit breakpoints of GPT-5.6 and later; older models reject them. */
function mark(
  tree: JsonTree,
  { path, node }: ItemPlace,
  { ttlMs }: Pick<Breakpoint, 'ttlMs'>,
): readonly Edit[] | undefined {
  if (path.root !== 'm' || path.name !== undefined || path.isWhole === true) return undefined
  const marker = ttlMs >= longTtlMs ? '{"mode":"explicit","ttl":"12h"}' : '{"mode":"explicit"}'
  if (node.kind === 'string') {
    const message = member(tree, tree.root, 'input')?.children[path.index]
    const type = message && itemType(tree, message)
    if (!takesParts.has(type) || stringAt(tree, message, 'role') === 'assistant') return undefined
    return [
      { start: node.start, end: node.start, text: '[{"type":"input_text","text":' },
      { start: node.end, end: node.end, text: `,"prompt_cache_breakpoint":${marker}}]` },
    ]
  }
  if (!markable.has(stringAt(tree, node, 'type'))) return undefined
  const old = node.children[memberIndex(tree, node, 'prompt_cache_breakpoint')]
  if (old !== undefined) return [{ start: old.start, end: old.end, text: marker }]
  return [appendChild(node, `"prompt_cache_breakpoint":${marker}`)]
}

function ownsCaching(exchange: WireExchange, tree: JsonTree): boolean {
  const options = present(tree, tree.root, 'prompt_cache_options')
  return exchange.wire.markers.length > 0 || stringAt(tree, options, 'mode') === 'explicit'
}

/** Schemas are strict here unless it is said that they are not. */
export function responsesToolJson(tool: ToolDefinition): string {
  const { name, description, schema: parameters } = tool
  return JSON.stringify({ type: 'function', name, description, parameters, strict: false })
}

function layOut(tree: JsonTree, messages: readonly PackMessage[], media: readonly string[]): readonly Edit[] {
  const isSystem = ({ role }: PackMessage): boolean => isInstruction(role)
  const system = messages.filter(isSystem).map(({ text }) => text)
  const turns = messages.filter((message) => !isSystem(message))
  const raws = turns.map(({ role, text }, index) => {
    const shown = index === turns.length - 1 ? media : []
    const said = JSON.stringify(text)
    const content = shown.length === 0 ? said : `[{"type":"input_text","text":${said}},${shown.join(',')}]`
    return `{"role":"${role}","content":${content}}`
  })
  const edits = replaceInput(tree, raws)
  return system.length === 0
    ? edits
    : [...edits, ...replaceMember(tree, 'instructions', JSON.stringify(system.join('\n\n')))]
}

/** Items that bring tools stay as they are, before everything that is said. */
function replaceInput(tree: JsonTree, raws: readonly string[]): readonly Edit[] {
  const input = member(tree, tree.root, 'input')
  const kept = input?.kind === 'array' ? input.children.filter((item) => listsTools(itemType(tree, item))) : []
  const [first, last] = [kept[0], kept.at(-1)]
  if (input === undefined || first === undefined || last === undefined)
    return replaceMember(tree, 'input', `[${raws.join(',')}]`)
  const between = kept
    .slice(1)
    .map((item, index) => ({ start: kept[index]?.end ?? item.start, end: item.start, text: ',' }))
  const said = raws.map((raw) => `,${raw}`).join('')
  return [
    { start: input.start, end: first.start, text: '[' },
    ...between,
    { start: last.end, end: input.end, text: `${said}]` },
  ]
}

function replaceMember(tree: JsonTree, name: string, text: string): readonly Edit[] {
  const node: JsonNode | undefined = member(tree, tree.root, name)
  if (node === undefined) return [appendChild(tree.root, `${JSON.stringify(name)}:${text}`)]
  return [{ start: node.start, end: node.end, text }]
}

/**
 * Reasoning is refused without what comes right after it, and what it led to without it; a result whose call the provider
 * keeps has to come.
 */
function requireWhole({ messages }: Showing, kept: (place: string) => boolean): void {
  const called = new Set(messages.flatMap(({ calls }) => calls.map(({ group }) => group)))
  let reasoning: { readonly isKept: boolean; readonly isLast: boolean } | undefined
  for (const { message, items, places } of messages) {
    const isKept = places.some(kept)
    const [item] = items
    if (message.role === 'tool' && !isKept && !called.has(item?.group ?? ''))
      throw cannotEncode(`the provider keeps the call that ${item?.id ?? 'a result'} answers`, 'Keep the result.')
    if (reasoning && message.role === 'assistant' && (reasoning.isKept ? reasoning.isLast && !isKept : isKept))
      throw cannotEncode('reasoning and what it led to would be parted', 'Keep both or neither.')
    if (message.role !== 'assistant') reasoning = undefined
    else if (item?.kind === 'reasoning') reasoning = { isKept, isLast: true }
    else reasoning &&= { ...reasoning, isLast: false }
  }
}
