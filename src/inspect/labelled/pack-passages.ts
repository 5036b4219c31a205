import type { CompileResult, Item, Pack, PackEntry, Policy } from '../../core/index.ts'
import { isLosslessForm } from '../../ladders/index.ts'
import { compile as usualCompile } from '../../sessions/index.ts'
import type { CompileRequest } from '../../sessions/index.ts'
import type { LabelledKind, LabelledPassage, LabelledQuestion, LabelledQuote } from './labelled-set.ts'

/** What a pack still shows of passages. */
export interface Shown {
  readonly tokens: number
  /** Whether all of a passage stands there, word for word or in a form that says the same. */
  isWhole(at: number): boolean
  /** Whether one of these strings stands in what is shown of a passage. */
  hasQuote(quote: LabelledQuote): boolean
}

export interface Packing {
  readonly kind: LabelledKind
  readonly passages: readonly LabelledPassage[]
  /** By passage. */
  readonly scores: Float64Array
  readonly question: Pick<LabelledQuestion, 'text'>
  readonly policy: Policy
  /** Whose tokenizer counts. */
  readonly model?: string | undefined
  readonly compile?: Compile | undefined
}

export type Compile = (input: CompileRequest) => CompileResult

/** Documents beyond these were not found: nobody hands a whole collection to a compile. */
const mostDocuments = 200

/**
 * Packs passages with their scores for a question into so many tokens, all of what the request says counted, by the compiler that everybody calls. The window
 * is larger by what the policy holds back for the answer.
 */
export function packerOf(packing: Packing): (budgetTokens: number) => Shown {
  const { kind, policy, model, question, passages, compile = usualCompile } = packing
  const items = itemsOf(packing)
  const section = sectionOf[kind]
  return (budgetTokens) => {
    const { pack } = compile({
      items,
      policy,
      layout: 'payload',
      budget: {
        windowTokens: Math.floor(budgetTokens / (1 - policy.reserveShare)),
        sections: [{ section, max: budgetTokens }],
      },
      frame: { request: question.text },
      ...(model !== undefined && { model }),
    })
    if (pack === undefined) return nothing
    return kind === 'tools' ? offeredIn(pack) : shownIn(pack, passages)
  }
}

/** What is said of a conversation is not evidence with a source for each remark, and is said twice on purpose. */
const sectionOf: Readonly<Record<LabelledKind, string>> = {
  conversation: 'transcript',
  documents: 'evidence',
  tools: 'tools',
}

const nothing: Shown = { tokens: 0, isWhole: () => false, hasQuote: () => false }

function itemsOf({ kind, passages, scores }: Packing): readonly Item[] {
  const found = kind === 'conversation' ? [...passages.keys()] : bestOf(scores, mostDocuments, kind === 'tools')
  return found.map((at): Item => {
    const { text, found: passage } = passages[at] as LabelledPassage
    const provenance = { sourceId: `s${at}`, ...(passage.about !== undefined && { title: passage.about }) }
    const relevance = scores[at] ?? 0
    if (kind === 'tools') {
      const { id: toolName } = passages[at] as LabelledPassage
      return { id: String(at), section: 'tools', kind: 'tool-schema', toolName, text, scores: { relevance } }
    }
    const kindOfItem = kind === 'conversation' ? 'memory' : 'evidence'
    return { id: String(at), section: sectionOf[kind], kind: kindOfItem, text, provenance, scores: { relevance } }
  })
}

/** Places of what scores anything, best first; of equals the first one. What has nothing to do with it may come last. */
export function bestOf(scores: Float64Array, most: number, any = false): readonly number[] {
  return Array.from(scores.keys())
    .filter((at) => any || (scores[at] ?? 0) > 0)
    .toSorted((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
    .slice(0, most)
}

/** A tool is offered in whatever form its schema has: calls of it are accepted. */
function offeredIn({ entries, tokens }: Pack): Shown {
  const offered = new Set(entries.map(({ itemId }) => itemId))
  return { tokens, isWhole: (at) => offered.has(String(at)), hasQuote: ({ at }) => offered.has(String(at)) }
}

function shownIn({ entries, messages, tokens }: Pack, passages: readonly LabelledPassage[]): Shown {
  const byId = new Map<string, PackEntry>(entries.map((entry) => [entry.itemId, entry]))
  // A pack writes what has several lines its own way.
  const said = messages.map(({ text }) => spaced(text)).join('\n')
  const textAt = (at: number): string => byId.get(String(at))?.text ?? ''
  const stands = (text: string): boolean => text !== '' && said.includes(spaced(text))
  return {
    tokens,
    isWhole(at) {
      const text = passages[at]?.text ?? ''
      const shown = textAt(at)
      return stands(shown) && (spaced(shown) === spaced(text) || isLosslessForm(shown, text))
    },
    hasQuote({ at, anyOf }) {
      const shown = textAt(at)
      return stands(shown) && anyOf.some((quote) => spaced(shown).includes(spaced(quote)))
    },
  }
}

function spaced(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
