import type { HiddenTurn, JsonTree, OverlayPart } from '../../core/index.ts'
import { member, scanJson, stringAt } from '../../core/index.ts'
import type { Edit } from '../splice.ts'
import { appendChild, sortEdits, splice } from '../splice.ts'

/** A body, and the parts of an overlay that are in it. */
export interface GoneOn {
  readonly body: string
  readonly placed: readonly OverlayPart[]
}

/**
 * A body that goes on from a reply which the provider keeps, so that it does from what the model said last, and answers what
 * it asked of us there. A client may know a reply that was told in several by the id of the first: streams begin with it.
 */
export function goneOn(body: string, overlay: readonly OverlayPart[]): GoneOn {
  const isNamed = overlay.some((part) => part.kind === 'hidden-turn' && part.turn.replyIds !== undefined)
  const tree = isNamed ? scanJson(body) : undefined
  const id = tree && stringAt(tree, tree.root, 'previous_response_id')
  if (tree === undefined || id === undefined) return { body, placed: [] }
  const part = overlay.find((each) => each.kind === 'hidden-turn' && each.turn.replyIds?.includes(id) === true)
  if (part?.kind !== 'hidden-turn') return { body, placed: [] }
  const edits = [...idEdits(tree, part.turn), ...resultEdits(tree, part.turn)]
  return { body: splice(body, sortEdits(edits)), placed: [part] }
}

function idEdits(tree: JsonTree, { replyIds = [] }: HiddenTurn): readonly Edit[] {
  const node = member(tree, tree.root, 'previous_response_id')
  const last = replyIds.at(-1)
  if (node === undefined || last === undefined) return []
  return [{ start: node.start, end: node.end, text: JSON.stringify(last) }]
}

function resultEdits(tree: JsonTree, { results }: HiddenTurn): readonly Edit[] {
  if (results.length === 0) return []
  const input = member(tree, tree.root, 'input')
  const text = results.join(',')
  if (input === undefined) return [appendChild(tree.root, `"input":[${text}]`)]
  const [first] = input.children
  if (input.kind === 'array') {
    const at = first?.start ?? input.start + 1
    return [{ start: at, end: at, text: first === undefined ? text : `${text},` }]
  }
  return [
    { start: input.start, end: input.start, text: `[${text},{"role":"user","content":` },
    { start: input.end, end: input.end, text: '}]' },
  ]
}
