export { memoryStore } from './memory/memory-store.ts'
export type { MemoryStoreOptions } from './memory/memory-store.ts'
export { examineSqliteStore } from './sqlite/examine.ts'
export { sqliteStore } from './sqlite/sqlite-store.ts'
export { connectedStore, threadedSqliteStore } from './sqlite/thread/threaded-sqlite-store.ts'
export type { ConnectedStore, ThreadedStore } from './sqlite/thread/threaded-sqlite-store.ts'
export type { SqliteStoreOptions } from './sqlite/sqlite-options.ts'
export { scopeKey } from './scope-key.ts'
export { addedCost, costOfResult, noCost, wholeUsd } from './session-cost.ts'
export { addedFigures, noFigures, sumNames } from './statistics/figures.ts'
export type { Figures } from './statistics/figures.ts'
export { latencyAt } from './statistics/latencies.ts'
export { isFailed, statisticsDimensions } from './statistics/rollups.ts'
export type { StatisticsDimension, StatisticsQuery, StatisticsRow, Tally } from './statistics/rollups.ts'
export { defaultRetention, noState } from './store.ts'
export type {
  CacheMiss,
  Crossed,
  ExchangeCost,
  KeptWarm,
  LaterRound,
  PrefixChange,
  ReceiptResult,
  RoutedModel,
} from './receipt-result.ts'
export type {
  Commit,
  FoundNames,
  HostStep,
  ItemOrigin,
  Original,
  Receipt,
  ReceiptMode,
  ReceiptQuery,
  ReceiptSummary,
  RecordedRequest,
  Scope,
  SessionCost,
  SessionQuery,
  SessionState,
  SessionSummary,
  Store,
  StoreTrouble,
} from './store.ts'
