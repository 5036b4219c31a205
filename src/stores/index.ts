export type { BlobPut, BlobRef, Blobs, ByteRange } from './blobs/blobs.ts'
export { folderBlobs } from './blobs/folder-blobs.ts'
export { gatherBytes } from './blobs/gather-bytes.ts'
export { memoryBlobs } from './blobs/memory-blobs.ts'
export { probeBlobs } from './blobs/probe-blobs.ts'
export { readS3Address } from './blobs/s3-address.ts'
export type { Hot, Taken, TakeLimit } from './hot/hot.ts'
export { hotOver, serveHot } from './hot/hot-port.ts'
export type { HotPort } from './hot/hot-port.ts'
export type {
  AccountEntry,
  AccountStanding,
  Confirmation,
  LedgerEntry,
  LedgerOwner,
  Ledgers,
  LedgerView,
  OpenReservation,
  Reserved,
  ReserveOrder,
  Settled,
  Settlement,
} from './hot/ledger.ts'
export { inProcessHot } from './hot/in-process-hot.ts'
export type { InProcessHotOptions } from './hot/in-process-hot.ts'
export { isPostgresUrl, postgresPlace } from './postgres/postgres-address.ts'
export { memoryStore } from './memory/memory-store.ts'
export type { MemoryStoreOptions } from './memory/memory-store.ts'
export type { PortableStore, Relation } from './kernel/portable.ts'
export { exportStore } from './portable/export-store.ts'
export { importStore } from './portable/import-store.ts'
export { sqlitePortable } from './sqlite/portable-sqlite.ts'
export { examineSqliteStore } from './sqlite/examine.ts'
export { sqliteStore } from './sqlite/sqlite-store.ts'
export { threadedSqliteStore } from './sqlite/thread/threaded-sqlite-store.ts'
export { connectedStore } from './ports/connected-store.ts'
export type { ConnectedStore, ThreadedStore, ConnectedOptions } from './ports/connected-store.ts'
export type { SqliteStoreOptions, ThreadedSqliteOptions } from './sqlite/sqlite-options.ts'
export { objectKey } from './tables/object-owners/object-owners-table.ts'
export { summaryKey } from './tables/summaries/summaries-table.ts'
export type { StoredSummary } from './tables/summaries/summaries-table.ts'
export { claimValue, setValue } from './tables/values/values-table.ts'
export { scopeKey } from './kernel/scope-key.ts'
export { accountOf } from './tables/results/account-of.ts'
export type { AccountGroup, SessionAccount } from './tables/results/session-account.ts'
export { dollarsOf } from './tables/results/dollars.ts'
export type { Dollars } from './tables/results/dollars.ts'
export { addedCost, costOfResult, noCost } from './tables/results/session-cost.ts'
export { savingsIfOn, savingsOf } from './tables/results/savings.ts'
export type { Savings } from './tables/results/savings.ts'
export { accountRow, addedAccount, creditOf, noAccount } from './tables/results/tenant-account.ts'
export type { TenantAccountChange, TenantAccountRow } from './tables/results/tenant-account.ts'
export { wholeUsd } from './tables/results/whole-usd.ts'
export { figuresSum } from './tables/results/statistics/figures.ts'
export type { Figures } from './tables/results/statistics/figures.ts'
export { latencyAt, oneLatency } from './tables/results/statistics/latencies.ts'
export { countedOf, statisticsDimensions } from './tables/results/statistics/rollups.ts'
export type { StatisticsQuery, Tally } from './tables/results/statistics/rollups.ts'
export { sentAs } from './tables/receipts/sent-as.ts'
export { addedPruned, defaultRetention } from './kernel/retention.ts'
export type { Retention } from './kernel/retention.ts'
export { installation } from './kernel/scope.ts'
export type { Scope } from './kernel/scope.ts'
export type {
  AsyncReads,
  Table,
  TableTypes,
  MemoryLimits,
  SqliteTable,
  PostgresTable,
  MemoryKernel,
} from './kernel/table.ts'
export { extensionTable, extensionTables } from './rows/extension-tables.ts'
export { tableView } from './rows/table-view.ts'
export type { TableView } from './rows/table-view.ts'
export type { StoreTrouble, OnTrouble } from './kernel/troubles.ts'
export type { Store, Unit, Write } from './store.ts'
export { artifactClasses } from './tables/artifacts/artifact.ts'
export type {
  Artifact,
  ArtifactClass,
  ArtifactPlace,
  ArtifactQuery,
  ArtifactWrite,
} from './tables/artifacts/artifact.ts'
export { auditOrders } from './tables/audit/audit-entry.ts'
export type { AuditEntry, AuditOrder, AuditPlace, AuditWrite } from './tables/audit/audit-entry.ts'
export { hashOf as auditHash, noChains, readEntry, valueHash } from './tables/audit/audit-chain.ts'
export type { ReadChains } from './tables/audit/audit-chain.ts'
export type { UsedKey, VirtualKey } from './tables/keys/virtual-key.ts'
export type { SealedKey } from './tables/provider-keys/sealed-key.ts'
export type { RevisionedValue } from './tables/revisioned-table.ts'
export { chosenOriginals } from './tables/originals/listed-originals.ts'
export { archiveReasons } from './tables/originals/original.ts'
export type { ArchiveReason, Original } from './tables/originals/original.ts'
export { mostNoteChars, outcomeSources } from './tables/outcomes/outcome.ts'
export type { OutcomeSource, OutcomeWrite, RecordedOutcome } from './tables/outcomes/outcome.ts'
export { originalsAbout } from './tables/originals/searched-originals.ts'
export { isAnsweredHere, isFailed, layerOutcomes, stoppedBy, whyNoAnswers } from './tables/receipts/receipt-result.ts'
export type {
  Asker,
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
  LayerFacts,
  LayerOutcome,
  LayerResult,
  RoutedModel,
} from './tables/receipts/receipt-result.ts'
export { receiptModes } from './tables/receipts/receipt.ts'
export type {
  HostStep,
  StepTools,
  ItemOrigin,
  LeftTools,
  Receipt,
  ReceiptMode,
  ReceiptQuery,
  ReceiptSummary,
  ReceiptToRecord,
  RecordedRequest,
  RequestToRecord,
  WantedContent,
  WastedTools,
} from './tables/receipts/receipt.ts'
export type { SessionCost, SessionQuery, SessionSummary } from './tables/results/session-cost.ts'
export { noState } from './tables/sessions/session-state.ts'
export type { SessionState } from './tables/sessions/session-state.ts'
export type { SpendingStanding, SpendingSum, SpendingUnit, SpendingWrite } from './tables/spending/spending.ts'
export type { Tables } from './tables/tables.ts'
export type { ToolRecord, ToolUsage, ToolWrite } from './tables/tools/tool-record.ts'
export type { ToolUseChange, ToolUseRow } from './tables/tool-uses/tool-uses.ts'
export type { Turn, TurnItem } from './tables/turns/turn.ts'
export { memoryPassages } from './passages/memory-passages.ts'
export type {
  CollectionRef,
  PassageHit,
  PassageHits,
  PassageQuery,
  Passages,
  StoredPassage,
  VectorIndex,
} from './passages/passages.ts'
export { sqlitePassages } from './sqlite/sqlite-passages.ts'
export type { SqlitePassagesOptions } from './sqlite/sqlite-passages.ts'
