export * from './codec.ts'
export * from './sse.ts'
