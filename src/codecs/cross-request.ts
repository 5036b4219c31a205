import type { WireExchange, JsonNode, JsonTree, Loss } from '../core/index.ts'
import { invalidInput, keyAt, present } from '../core/index.ts'
import type { Codec } from './codec.ts'
import type { CalledTool } from './crossing-names.ts'
import { treeOf } from './decoded-state.ts'
import type { WriteView } from './write-request.ts'

/** A request of one dialect, written in another. */
export interface CrossedRequest {
  readonly path: string
  /** Headers that the other dialect asks for. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The client's tools by the names under which the body has them. */
  readonly names: ReadonlyMap<string, CalledTool>
  /** What it does not say, or not as it was. */
  readonly lost: readonly Loss[]
}

/** Writes a request anew in another dialect. Throws `invalid-input` where that dialect can hold no such conversation. */
export function crossRequest(
  from: Codec,
  to: Codec,
  exchange: WireExchange,
  view: Pick<WriteView, 'mostOutputTokens' | 'asksUsage'> = {},
): CrossedRequest {
  const { conversation } = exchange
  const kept = from.elsewhere?.(exchange)
  if (kept !== undefined) throw isElsewhere(kept)
  const mediaUrl = (itemId: string): string | undefined => from.mediaUrl(exchange, itemId)
  const { body, lost, names = new Map() } = to.write(conversation, { mediaUrl, ...view })
  const { header, headerValue } = to.signs
  return {
    path: to.pathTo(conversation),
    headers: header !== undefined && headerValue !== undefined ? { [header]: headerValue } : {},
    body,
    names,
    lost: [...lost, ...unsaid(from, exchange)],
  }
}

function isElsewhere(field: string): Error {
  const remedy =
    'Send the whole conversation in words (with store: false where an SDK has that), compact it yourself, or ask that provider.'
  return invalidInput(field, 'asks for what another provider keeps, or alone can do or read', remedy)
}

/** What a body says that a conversation has no word for. */
function unsaid({ carried, reasoningMembers }: Codec, exchange: WireExchange): readonly Loss[] {
  const tree = treeOf(exchange)
  const isRead = exchange.conversation.sampling.reasoning !== undefined
  const said = isRead && reasoningMembers ? new Set([...carried, ...reasoningMembers]) : carried
  return unsaidIn(tree, tree.root, { said, path: '' }).map((what) => ({
    kind: 'sampling',
    what,
    why: 'nobody knows what it means elsewhere',
  }))
}

interface Place {
  readonly said: ReadonlySet<string>
  readonly path: string
}

/** Of what is said in part, the members that are not. */
function unsaidIn(tree: JsonTree, object: JsonNode, { said, path }: Place): readonly string[] {
  return namesIn(tree, object).flatMap((name) => {
    const own = `${path}${name}`
    if (said.has(own)) return []
    const inner = present(tree, object, name)
    const isOpened = inner?.kind === 'object' && [...said].some((known) => known.startsWith(`${own}.`))
    return isOpened ? unsaidIn(tree, inner, { said, path: `${own}.` }) : [own]
  })
}

/** Members that say something: null does not. */
function namesIn(tree: JsonTree, object: JsonNode): readonly string[] {
  const names = new Set(object.children.map((_, index) => keyAt(tree, object, index)))
  return [...names].filter((name) => present(tree, object, name) !== undefined)
}
