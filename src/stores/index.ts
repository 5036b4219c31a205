export { memoryStore } from './memory.ts'
export type { MemoryStoreOptions } from './memory.ts'
export { sqliteStore } from './sqlite.ts'
export type { SqliteStoreOptions } from './sqlite.ts'
export { defaultRetention } from './store.ts'
export type {
  Commit,
  Original,
  Pruned,
  Receipt,
  ReceiptHead,
  ReceiptMode,
  ReceiptQuery,
  ReceiptResult,
  ReceiptSummary,
  Retention,
  Scope,
  SessionState,
  Store,
} from './store.ts'
