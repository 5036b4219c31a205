export { conversationPlanner } from './plan-conversation.ts'
export type { ConversationPlan, ConversationPlanner, PlannerParts } from './plan-conversation.ts'
export type { ConversationInput } from './plan-context.ts'
