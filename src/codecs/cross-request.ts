import type { Exchange, JsonNode, JsonTree, Loss } from '../core/index.ts'
import { invalidInput, keyAt, present } from '../core/index.ts'
import type { Codec } from './codec.ts'
import { treeOf } from './decoded-state.ts'

/** A request of one dialect, written in another. */
export interface CrossedRequest {
  readonly path: string
  /** Headers that the other dialect asks for. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** What it does not say, or not as it was. */
  readonly lost: readonly Loss[]
}

/** Writes a request anew in another dialect. Throws `invalid-input` where that dialect can hold no such conversation. */
export function crossRequest(from: Codec, to: Codec, exchange: Exchange): CrossedRequest {
  const { conversation } = exchange
  const kept = from.elsewhere?.(exchange)
  if (kept !== undefined) throw isElsewhere(kept)
  const mediaUrl = (itemId: string): string | undefined => from.mediaUrl(exchange, itemId)
  const { body, lost } = to.write(conversation, { mediaUrl })
  const { header, headerValue } = to.signs
  return {
    path: to.pathTo(conversation),
    headers: header !== undefined && headerValue !== undefined ? { [header]: headerValue } : {},
    body,
    lost: [...lost, ...unsaid(from, exchange)],
  }
}

function isElsewhere(field: string): Error {
  const remedy = 'Send the whole conversation (with store: false where an SDK has that), or ask that provider.'
  return invalidInput(field, 'asks for what another provider keeps', remedy)
}

/** What a body says that a conversation has no word for. */
function unsaid({ carried }: Codec, exchange: Exchange): readonly Loss[] {
  const tree = treeOf(exchange)
  return namesIn(tree, tree.root)
    .flatMap((name) => {
      const isOpened = [...carried].some((known) => known.startsWith(`${name}.`))
      const inner = isOpened ? present(tree, tree.root, name) : undefined
      return inner?.kind === 'object' ? namesIn(tree, inner).map((own) => `${name}.${own}`) : [name]
    })
    .filter((what) => !carried.has(what))
    .map((what) => ({ kind: 'sampling', what, why: 'nobody knows what it means elsewhere' }))
}

/** Members that say something: null does not. */
function namesIn(tree: JsonTree, object: JsonNode): readonly string[] {
  const names = new Set(object.children.map((_, index) => keyAt(tree, object, index)))
  return [...names].filter((name) => present(tree, object, name) !== undefined)
}
