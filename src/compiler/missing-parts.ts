import { invalidInput, reliefStepsOf } from '../core/index.ts'
import type { CompileInput, InjectionDetector } from '../core/index.ts'
import type { ItemHistory } from './hygiene/item-history.ts'
import type { CompilerParts, ConversationReading } from './solving/compiler-parts.ts'

/** Stands for a detector that was not given. */
export const noDetector: InjectionDetector = {
  id: 'none',
  score() {
    throw withoutDetector()
  },
}

const noHistory: ItemHistory = {
  outdated({ items }) {
    if (items.some(({ kind }) => kind === 'tool-result')) throw withoutConversations('items', 'hold results of tools')
    return new Map()
  },
  failed: withoutRelief,
}

/** Stands for what reads conversations where it was not given. */
export const noConversations: ConversationReading = {
  planner: () => () => {
    throw withoutConversations('layout', 'is messages')
  },
  history: () => noHistory,
  relief: { view: withoutRelief, relieved: withoutRelief },
}

/** Throws `invalid-input` where an input asks for a part that the compiler was not given. */
export function requireParts(
  { policy, layout }: CompileInput,
  { detector, history }: Pick<CompilerParts, 'detector' | 'history'>,
): void {
  if (policy.defense !== undefined && detector === noDetector) throw withoutDetector()
  if (history !== noHistory) return
  if (layout === 'messages') throw withoutConversations('layout', 'is messages')
  if (reliefStepsOf(policy.relief) !== undefined) withoutRelief()
}

function withoutRelief(): never {
  throw withoutConversations('policy.relief', 'names steps')
}

function withoutDetector(): Error {
  return invalidInput(
    'policy.defense',
    'needs a detector, and this compiler has none',
    'Give createCompiler a detector, such as heuristicDetector of prehend/defense, or use compile of prehend.',
  )
}

function withoutConversations(field: string, state: string): Error {
  return invalidInput(
    field,
    `${state}, and this compiler does not read conversations`,
    'Give createCompiler conversations of prehend/core, or use compile of prehend.',
  )
}
