export type * from './model-call.ts'
export { packedCalls } from './packed-calls.ts'
export type { IntegrationOptions, PackedCall, PackedCalls } from './packed-calls.ts'
