import { conversationPlanner } from './epochs/index.ts'
import { itemHistory } from './hygiene/item-history.ts'
import { relieving } from './solving/relieve-items.ts'
import type { ConversationReading } from './solving/compiler-parts.ts'

/** Reads conversations of agents, for `createCompiler` of `prehend/core`. */
export const conversations: ConversationReading = {
  planner: conversationPlanner,
  history: itemHistory,
  relief: relieving,
}
