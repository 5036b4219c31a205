import type { ModelReply, ReasoningChain, ReasoningVisibility } from '../../core/index.ts'
import { optional } from '../optional.ts'
import { reasoningPhasesOf } from './reasoning-phases.ts'

/** A piece of reasoning in a reply, or something else that the model says or calls. */
export interface ReplyPart {
  /** Of words and calls only the place counts; a signature stands for reasoning that is told nowhere. */
  readonly kind: 'reasoning' | 'signature' | 'words'
  /** What can be read of it. */
  readonly text?: string
  readonly visibility?: Exclude<ReasoningVisibility, 'none'>
  /** Raw JSON of the provider's block, where it has one. */
  readonly raw?: string
}

/** The reasoning of a reply, of its parts in order. */
export function reasoningChain(provider: string, parts: readonly ReplyPart[], { usage }: ModelReply): ReasoningChain {
  const reasoning = parts.filter(({ kind }) => kind !== 'words')
  const content = reasoning
    .map(({ text = '' }) => text)
    .filter((text) => text !== '')
    .join('\n\n')
  return {
    provider,
    visibility: visibilityOf(reasoning, usage?.reasoningTokens ?? 0),
    ...optional('content', content === '' ? undefined : content),
    ...optional('reasoningTokens', usage?.reasoningTokens),
    interleaved: isInterleaved(parts),
    phases: reasoningPhasesOf(content),
    rawBlocks: reasoning.flatMap(({ raw }) => raw ?? []),
  }
}

/** The most that can be seen of any of it; what was paid for and is not there at all is opaque. */
function visibilityOf(reasoning: readonly ReplyPart[], tokens: number): ReasoningVisibility {
  const order = ['visible', 'summarized', 'opaque'] as const
  const shown = order.find((visibility) => reasoning.some((part) => part.visibility === visibility))
  return shown ?? (tokens > 0 ? 'opaque' : 'none')
}

function isInterleaved(parts: readonly ReplyPart[]): boolean {
  const words = parts.findIndex(({ kind }) => kind === 'words')
  return words >= 0 && parts.slice(words).some(({ kind }) => kind === 'reasoning')
}
