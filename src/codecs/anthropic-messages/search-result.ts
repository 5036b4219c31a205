import type { WireExchange, Item, JsonNode, JsonTree, Provenance } from '../../core/index.ts'
import { isTrue, member, stringAt } from '../../core/index.ts'

/** What a search result says and where it comes from, where it says it in one piece. */
export interface SearchResult {
  readonly text: string
  readonly provenance: Provenance
  /** Whether the model cites it. */
  readonly citable: boolean
}

export function searchResultOf(tree: JsonTree, block: JsonNode): SearchResult | undefined {
  const pieces = member(tree, block, 'content')?.children ?? []
  const text = pieces.length === 1 ? stringAt(tree, pieces[0], 'text') : undefined
  const uri = stringAt(tree, block, 'source')
  if (text === undefined || uri === undefined || uri === '') return undefined
  const title = stringAt(tree, block, 'title')
  const citable = isTrue(tree, member(tree, member(tree, block, 'citations'), 'enabled'))
  return { text, provenance: { sourceId: uri, uri, ...(title !== undefined && { title }) }, citable }
}

/**
 * The message that shows an item as a result that the model is to cite; undefined where the provider would take no citations: all
 * results of a request are cited or none, and none in a reply of a given format.
 */
export function citedMessage({ conversation }: WireExchange, item: Item): string | undefined {
  const { provenance, text, role = 'user' } = item
  const isUncited = conversation.items.some(
    ({ kind, frozen, citable }) => kind === 'evidence' && frozen === true && citable === false,
  )
  if (!provenance || role !== 'user' || conversation.sampling.responseFormat !== undefined || isUncited)
    return undefined
  const { sourceId, uri = sourceId, title = sourceId } = provenance
  const content = [{ type: 'text', text }]
  const block = { type: 'search_result', source: uri, title, content, citations: { enabled: true } }
  return JSON.stringify({ role, content: [block] })
}
