export { memoryStore } from './memory/memory-store.ts'
export type { MemoryStoreOptions } from './memory/memory-store.ts'
export { examineSqliteStore } from './sqlite/examine.ts'
export { sqliteStore } from './sqlite/sqlite-store.ts'
export { connectedStore, threadedSqliteStore } from './sqlite/thread/threaded-sqlite-store.ts'
export type { ConnectedStore, ThreadedStore } from './sqlite/thread/threaded-sqlite-store.ts'
export type { SqliteStoreOptions } from './sqlite/sqlite-options.ts'
export { scopeKey } from './scope-key.ts'
export { accountOf } from './account-of.ts'
export type { AccountGroup, SessionAccount } from './session-account.ts'
export { dollarsOf } from './dollars.ts'
export type { Dollars } from './dollars.ts'
export { addedCost, costOfResult, noCost } from './session-cost.ts'
export { savingsIfOn, savingsOf } from './savings.ts'
export type { Savings } from './savings.ts'
export { accountRow, addedAccount, creditOf, noAccount } from './tenant-account.ts'
export type { TenantAccountChange, TenantAccountRow } from './tenant-account.ts'
export { wholeUsd } from './whole-usd.ts'
export { figuresSum } from './statistics/figures.ts'
export type { Figures } from './statistics/figures.ts'
export { latencyAt, oneLatency } from './statistics/latencies.ts'
export { figuresOfResult, isFailed, statisticsDimensions } from './statistics/rollups.ts'
export type { StatisticsQuery, Tally } from './statistics/rollups.ts'
export { sentAs } from './sent-as.ts'
export { defaultRetention, noState, receiptModes } from './store.ts'
export { whyNoAnswers } from './receipt-result.ts'
export type {
  CacheMiss,
  Crossed,
  EstimateIfOn,
  ExchangeCost,
  Fetched,
  KeptWarm,
  LaterRound,
  PrefixChange,
  ProviderAnswer,
  ReceiptResult,
  RoutedModel,
} from './receipt-result.ts'
export type {
  Commit,
  HostStep,
  ItemOrigin,
  Original,
  Receipt,
  Retention,
  ReceiptMode,
  ReceiptQuery,
  ReceiptSummary,
  RecordedRequest,
  RequestToRecord,
  Scope,
  SessionCost,
  SessionQuery,
  SessionState,
  SessionSummary,
  Store,
  StoreTrouble,
  WantedContent,
} from './store.ts'
