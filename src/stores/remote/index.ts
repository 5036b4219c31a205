export { postgresStore } from '../postgres/postgres-store.ts'
export type { PostgresStoreOptions } from '../postgres/postgres-store.ts'
export { redisHot } from './redis-hot.ts'
export type { RedisHot, RedisHotOptions } from './redis-hot.ts'
