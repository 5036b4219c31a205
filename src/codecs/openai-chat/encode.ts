import type { Breakpoint, WireExchange, JsonNode, JsonTree, PackMessage, ToolDefinition } from '../../core/index.ts'
import { member, memberIndex, present, stringAt } from '../../core/index.ts'
import { allOf, blockShown, stringEdit } from '../media/media-words.ts'
import { parseDataUrl } from '../media/media-data.ts'
import type { MediaWords } from '../media/media-words.ts'
import type { ItemPlace, RequestWriter, ShownMedia, TextPlace } from '../request-writer.ts'
import type { Edit } from '../splice.ts'
import { appendChild } from '../splice.ts'

/** Roles in which we may say something. */
const speaks: ReadonlySet<string> = new Set(['user', 'system', 'developer'])
const longTtlMs = 43_200_000
const anHourMs = 3_600_000
const markable: ReadonlySet<string | undefined> = new Set(['text', 'image_url', 'input_audio', 'file', 'refusal'])

export const openaiWriter: RequestWriter = {
  textPlace,
  showMedia,
  mediaBytes,
  mark,
  mostMarkers: 4,
  ownsCaching,
  toolEdit: (_, tools, tool) => appendChild(tools, openaiToolJson(tool)),
  layOut,
  mayBegin: () => true,
  spoken: (role = 'user', text) => (speaks.has(role) ? JSON.stringify({ role, content: text }) : undefined),
  mayFollow: () => true,
}

function textPlace(tree: JsonTree, { path, node }: ItemPlace): TextPlace | undefined {
  if (path.root === 't') return { node, form: 'json' }
  if (path.list === 'c') {
    const body = present(tree, node, 'function') ?? present(tree, node, 'custom')
    return words(present(tree, body, 'arguments') ?? present(tree, body, 'input'))
  }
  if (node.kind === 'string') return words(node)
  return stringAt(tree, node, 'type') === 'text' ? words(member(tree, node, 'text')) : undefined
}

const mediaWords: MediaWords = { type: 'text', kept: new Set(['cache_control', 'prompt_cache_breakpoint']) }

function mediaBytes(tree: JsonTree, block: JsonNode, url: string): readonly Edit[] | undefined {
  const sound = present(tree, block, 'input_audio')
  if (sound !== undefined) return stringEdit(member(tree, sound, 'data'), parseDataUrl(url)?.data)
  return stringEdit(member(tree, present(tree, block, 'image_url'), 'url'), url)
}

function showMedia(tree: JsonTree, media: readonly ShownMedia[], edits: readonly Edit[]): readonly Edit[] | undefined {
  return allOf(
    edits,
    media.map((shown) => blockShown(tree, shown.place.node, shown, { words: mediaWords, bytes: mediaBytes })),
  )
}

function words(node: JsonNode | undefined): TextPlace | undefined {
  return node?.kind === 'string' ? { node, form: 'words' } : undefined
}

/** Explicit breakpoints of GPT-5.6 and later, which older models reject; for Claude's models what routers hand on to Anthropic. */
function mark(
  tree: JsonTree,
  { path, node }: ItemPlace,
  breakpoint: Pick<Breakpoint, 'ttlMs' | 'by'>,
): readonly Edit[] | undefined {
  if (path.root !== 'm' || path.list === 'c' || path.name !== undefined) return undefined
  const [name, marker] = markerOf(breakpoint)
  if (node.kind === 'string') {
    return [
      { start: node.start, end: node.start, text: '[{"type":"text","text":' },
      { start: node.end, end: node.end, text: `,"${name}":${marker}}]` },
    ]
  }
  if (!markable.has(stringAt(tree, node, 'type'))) return undefined
  const old = node.children[memberIndex(tree, node, name)]
  if (old !== undefined) return [{ start: old.start, end: old.end, text: marker }]
  return [appendChild(node, `"${name}":${marker}`)]
}

function markerOf({ ttlMs, by }: Pick<Breakpoint, 'ttlMs' | 'by'>): readonly [name: string, json: string] {
  if (by === 'anthropic')
    return ['cache_control', ttlMs >= anHourMs ? '{"type":"ephemeral","ttl":"1h"}' : '{"type":"ephemeral"}']
  return ['prompt_cache_breakpoint', ttlMs >= longTtlMs ? '{"mode":"explicit","ttl":"12h"}' : '{"mode":"explicit"}']
}

function ownsCaching(exchange: WireExchange, tree: JsonTree, breakpoints: readonly Breakpoint[]): boolean {
  const options = present(tree, tree.root, 'prompt_cache_options')
  if (breakpoints.some(({ by }) => by === 'anthropic')) return false
  return exchange.wire.markers.length > 0 || stringAt(tree, options, 'mode') === 'explicit'
}

export function openaiToolJson(tool: ToolDefinition): string {
  const body = { name: tool.name, description: tool.description, parameters: tool.schema }
  return JSON.stringify({ type: 'function', function: body })
}

function layOut(tree: JsonTree, messages: readonly PackMessage[], media: readonly string[]): readonly Edit[] {
  const node = member(tree, tree.root, 'messages')
  if (node === undefined) return []
  const raws = messages.map(({ role, text }, index) => {
    const shown = index === messages.length - 1 ? media : []
    const said = JSON.stringify(text)
    const content = shown.length === 0 ? said : `[{"type":"text","text":${said}},${shown.join(',')}]`
    return `{"role":"${role}","content":${content}}`
  })
  return [{ start: node.start, end: node.end, text: `[${raws.join(',')}]` }]
}
