/** What a conversation needs to know of caches: a door beside the room's, behind which nothing of Node is loaded. */
export { promptCacheKey } from './cache-key.ts'
export { planBreakpoints } from './plan-breakpoints.ts'
export type { PlannedBreakpoint } from './plan-breakpoints.ts'
export { longerPays, usedAgain } from './lifetimes.ts'
export type { LifetimePrices, PrefixUses } from './lifetimes.ts'
export { emptyCache, nextInCache } from './conversation-cache.ts'
export type { BlockMark, CacheFind, ConversationCache } from './conversation-cache.ts'
