import type { Effort, ReasoningWish } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import { effortBudget, effortTokens, effortWish, effortWord, tokensWish } from '../effort/effort.ts'
import type { Field } from '../read-field.ts'
import { valueAt } from '../sampling-fields.ts'
import type { Draft } from '../write-request.ts'

/** What a body says of how much the model is to think. `between_tools` is Anthropic's alone. */
export function thinkingWish(body: Field): ReasoningWish | undefined {
  const [thinking, output] = [valueAt(body, 'thinking'), valueAt(body, 'output_config')]
  const effort = effortWish(isJsonObject(output) ? output['effort'] : undefined)
  switch (isJsonObject(thinking) ? thinking['type'] : undefined) {
    case 'disabled':
      return { effort: 'none' }
    case 'enabled':
      return tokensWish(isJsonObject(thinking) ? thinking['budget_tokens'] : undefined)
    case 'adaptive':
      return effort ?? { effort: 'auto' }
    case undefined:
      return effort
    default:
      return undefined
  }
}

/** Members that say it. */
export const thinkingMembers: ReadonlySet<string> = new Set([
  'thinking.type',
  'thinking.budget_tokens',
  'output_config.effort',
])

/** What a body says of it, and by how much longer a reply may be for it where the client has said no limit. */
export interface WrittenThinking {
  readonly thinking?: object
  readonly effort?: Effort
  readonly moreTokens: number
}

/**
 * How a model thinks (platform.claude.com/docs/en/build-with-claude/thinking, 2026-08, and the overview of 5.5): up to 4.5 with a budget,
 * and then a turn has to begin with the signed thinking, which no other dialect brings back; from 4.6 on as it sees fit, without that.
 */
interface Thinks {
  readonly how: 'budget' | 'adaptive'
  /** Without being told to. */
  readonly byDefault: boolean
  readonly always: boolean
  readonly words: readonly Effort[]
  /** Whether it takes temperatures and the like. */
  readonly sampling: boolean
}

const words = ['low', 'medium', 'high', 'max'] as const
const newestWords = ['low', 'medium', 'high', 'xhigh', 'max'] as const

function thinksOf(model: string): Thinks | undefined {
  if (/claude-(fable|mythos)/.test(model))
    return { how: 'adaptive', byDefault: true, always: true, words: newestWords, sampling: false }
  const version = versionOf(model)
  if (version === undefined || version < 3.7) return undefined
  if (version < 4.6) return { how: 'budget', byDefault: false, always: false, words: [], sampling: true }
  const isOldest = version < 4.7
  return {
    how: 'adaptive',
    byDefault: version >= 5,
    always: false,
    words: isOldest ? words : newestWords,
    sampling: isOldest,
  }
}

function versionOf(model: string): number | undefined {
  const found = /claude-(?:[a-z]+-)?(\d)(?:[-.](\d)(?!\d))?(?!\d)/.exec(model)
  return found === null ? undefined : Number(`${found[1]}.${found[2] ?? 0}`)
}

/** Temperatures and the like are refused by models from 4.7 on. */
export function takesSampling(model: string): boolean {
  return thinksOf(model)?.sampling ?? true
}

/** From 4.1 on a temperature or `top_p`, not both. */
export function takesOneChance(model: string): boolean {
  return (versionOf(model) ?? Infinity) >= 4.1
}

/** Up to 4.5 a model goes on from words of its own at the end. */
export function takesPrefill(model: string): boolean {
  return (versionOf(model) ?? 0) < 4.6
}

/** From Opus 4.8 on a system message may stand between others. */
export function takesSystem(model: string): boolean {
  const version = versionOf(model) ?? 0
  return version >= 5 || (version >= 4.8 && model.includes('opus'))
}

const nothing: WrittenThinking = { moreTokens: 0 }

export function writtenThinking(draft: Draft): WrittenThinking {
  const { conversation, lose } = draft
  const wish = conversation.sampling.reasoning
  if (wish === undefined) return nothing
  const thinks = thinksOf(conversation.model)
  if (thinks?.how === 'adaptive') return adaptive(draft, thinks, wish)
  if (wish.effort === 'none' || wish.effort === 'auto') return nothing
  if (thinks?.how === 'budget') return budgeted(draft)
  lose('sampling', 'reasoning', 'the model is not known to take it')
  return nothing
}

function adaptive(
  draft: Draft,
  { always, byDefault, words: known }: Thinks,
  { effort: wanted }: ReasoningWish,
): WrittenThinking {
  if (wanted === 'none' && !always) return { thinking: { type: 'disabled' }, moreTokens: 0 }
  const thinking = byDefault ? {} : thinkingOf(draft)
  if (wanted === 'auto') return { ...thinking, moreTokens: 0 }
  const effort = effortWord(draft, known)
  return { ...thinking, ...(effort && { effort }), moreTokens: effort ? effortTokens[effort] : 0 }
}

/** Where a temperature is asked for there is no thinking. */
function thinkingOf({ conversation, lose }: Draft): Pick<WrittenThinking, 'thinking'> {
  if (!isSampled(conversation.sampling)) return { thinking: { type: 'adaptive' } }
  lose('sampling', 'reasoning', 'there is no thinking beside a temperature, topP or topK')
  return {}
}

/** Temperatures above 1 are none here. */
function isSampled({ temperature = 1, topP = 1, topK }: Draft['conversation']['sampling']): boolean {
  return temperature < 1 || topP < 0.95 || topK !== undefined
}

const leastBudget = 1024

function budgeted(draft: Draft): WrittenThinking {
  const { conversation, lose, tools } = draft
  const { maxOutputTokens: limit = Infinity, sampling } = conversation
  const why =
    tools.length > 0
      ? 'between calls the thinking would have to come back signed, for which the conversation has no place'
      : isSampled(sampling)
        ? 'there is no thinking beside a temperature, topP or topK'
        : limit <= leastBudget
          ? 'the reply is shorter than the least thinking'
          : undefined
  if (why !== undefined) {
    lose('sampling', 'reasoning', why)
    return nothing
  }
  const budget = effortBudget(draft, { least: leastBudget, most: Math.min(limit - 1, effortTokens.max) })
  return budget === undefined ? nothing : { thinking: { type: 'enabled', budget_tokens: budget }, moreTokens: budget }
}
