import { reliefStepsOf } from '../../core/index.ts'
import type { Hasher, Item, LadderMaker, Policy, Rendition } from '../../core/index.ts'
import type { FactReader, LadderOptions } from '../../ladders/index.ts'
import { handleFrom } from '../items/item-keys.ts'
import { askedAgain } from './asked-again.ts'
import { looksAfterEdit } from './looks-after-edit.ts'
import { madeEdits } from './made-edits.ts'
import { mediaCalls } from './media-calls.ts'
import { fileResults } from './names-file.ts'
import type { FileNames } from './names-file.ts'
import type { ConversationInput } from './plan-context.ts'
import type { RenderOptions } from './render-from.ts'
import { unhandledForms } from './unhandled-forms.ts'

/** What a planner is made with. */
export interface PlannerParts {
  readonly ladders: LadderMaker
  itemTokens(item: Item, text: string): number
  readonly hash: Hasher
}

export interface LadderReaderOptions extends PlannerParts {
  readonly input: ConversationInput
  readonly steps: readonly number[]
  readonly facts: FactReader
  readonly names: FileNames
  readonly hashOf: HashAt
}

/** The hash of an item's content, given its index. */
export type HashAt = (item: Item, index: number) => string

/** Asks the ladders for the rungs of an item; pinned and frozen ones have but one. */
export function ladderReader(options: LadderReaderOptions): RenderOptions['rungsOf'] {
  const { ladders, hash, hashOf, facts, names, steps } = options
  const { items, tokens, handleKey, hiddenTools = [], policy } = options.input
  const examples = reliefStepsOf(policy.relief)?.includes('tool-examples') === true
  const wishes = askedOf(policy)
  const isOfFile = fileResults(items, names)
  const isAskedAgain = askedAgain({ items, steps })
  const callOf = mediaCalls(items, steps)
  const isAfterEdit = looksAfterEdit({ items, steps, facts })
  const isMade = madeEdits({ items, steps, facts })
  const { replacedTokens } = policy.epochs
  const mayFold = replacedTokens !== undefined && options.input.rehydration && policy.epochs.lowestRung !== 'lossless'
  return (index, conversation) => {
    const item = items[index]
    if (item === undefined || item.pin === true || item.frozen === true || options.input.standsWhole?.(index) === true)
      return []
    // A ladder measures what it makes more than once; what is known is not measured again.
    const known = new Map([[item.text, tokens[index] ?? 0]])
    const count = (text: string): number => {
      const measured = known.get(text) ?? options.itemTokens(item, text)
      known.set(text, measured)
      return measured
    }
    const handle = handleFrom(hash, handleKey, hashOf(item, index))
    const isResult = item.kind === 'tool-result' && conversation.visible !== undefined
    const told = {
      ...conversation,
      ...(isOfFile(index) && { exact: true }),
      ...(item.kind === 'media' && { called: () => callOf(index)?.text }),
      ...(isResult && { askedAgain: () => isAskedAgain(index) }),
      ...(mayFold && isMade(index) && { replacedTokens }),
      ...(conversation.shownLines !== undefined && { looksAfterEdit: () => isAfterEdit(index) }),
    }
    const step = item.kind === 'media' ? (callOf(index)?.step ?? 0) : (steps[index] ?? 0)
    const shared = { count, handle, step, hiddenTools, facts, conversation: told }
    const handled = options.input.rehydration ? shared : { ...shared, unhandled: true }
    const own = wishes === undefined ? handled : { ...handled, ...wishes }
    const prose = options.input.proseOf?.(index)
    const media = item.kind === 'media' ? options.input.media : undefined
    const worded = prose === undefined ? own : { ...own, prose }
    const wished = media === undefined ? worded : { ...worded, media }
    const context: LadderOptions = examples ? { ...wished, examples } : wished
    const dress = options.input.dressOf?.(index)
    const forms = dress === undefined ? ladders(item, context) : dressedRungs(dress, { ...options, item, context })
    return options.input.rehydration || item.kind === 'tool-schema' ? forms : unhandledForms(forms, { handle, count })
  }
}

/** What a policy says of ladders; undefined where it says nothing. */
function askedOf({ toolSchemas, losslessForms }: Policy): Pick<LadderOptions, 'schemas' | 'losslessForms'> | undefined {
  if (toolSchemas === undefined && losslessForms === undefined) return undefined
  return { ...(toolSchemas && { schemas: toolSchemas }), ...(losslessForms === false && { losslessForms }) }
}

interface DressedOptions extends PlannerParts {
  readonly item: Item
  readonly context: LadderOptions
}

/** The rungs of an item that is not shown as it came; they refer to nothing, since their lines are not those of the item. */
function dressedRungs(
  dress: (text: string) => string,
  { item, context, ladders, itemTokens }: DressedOptions,
): readonly Rendition[] {
  const { shownLines: _, usualEnds: __, ...conversation } = context.conversation ?? {}
  let cheapest = Infinity
  return ladders(item, { ...context, conversation }).flatMap(({ references, ...rendition }) => {
    const text = dress(rendition.text)
    const tokens = itemTokens(item, text)
    if (references !== undefined || rendition.rung === 'omitted' || tokens >= cheapest) return []
    cheapest = tokens
    const rung = rendition.rung === 'full' ? 'lossless' : rendition.rung
    return [{ ...rendition, rung, text, tokens, handle: rendition.handle ?? context.handle } as const]
  })
}

/** Made when it is asked for. */
export function dressedReader(
  options: PlannerParts & Pick<LadderReaderOptions, 'input' | 'hashOf'>,
): RenderOptions['dressed'] {
  const { itemTokens, hash, hashOf, input } = options
  const known = new Map<number, Rendition>()
  return (index) => {
    const item = input.items[index]
    const dress = input.dressOf?.(index)
    if (item === undefined || dress === undefined) return input.arrivalOf?.(index)
    const rendition = known.get(index) ?? {
      rung: 'lossless',
      text: dress(item.text),
      tokens: itemTokens(item, dress(item.text)),
      fidelity: 1,
      handle: handleFrom(hash, input.handleKey, hashOf(item, index)),
    }
    known.set(index, rendition)
    return rendition
  }
}
