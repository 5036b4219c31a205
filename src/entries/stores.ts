export {
  connectedStore,
  folderBlobs,
  inProcessHot,
  memoryBlobs,
  memoryPassages,
  memoryStore,
  sqliteStore,
  threadedSqliteStore,
} from '../stores/index.ts'
export type {
  BlobRef,
  Blobs,
  ByteRange,
  ConnectedStore,
  Hot,
  InProcessHotOptions,
  Taken,
  TakeLimit,
  CollectionRef,
  PassageHit,
  PassageHits,
  PassageQuery,
  Passages,
  StoredPassage,
  MemoryStoreOptions,
  SqliteStoreOptions,
  Store,
  StoreTrouble,
  ThreadedStore,
} from '../stores/index.ts'
export { postgresStore, redisHot, s3Blobs } from '../stores/remote/index.ts'
export type { PostgresStoreOptions, RedisHot, RedisHotOptions, S3BlobsOptions } from '../stores/remote/index.ts'
