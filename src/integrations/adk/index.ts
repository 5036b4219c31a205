export type { AdkCall } from './host-call.ts'
export { prehendPlugin } from './plugin.ts'
export type { AdkOptions, AdkPlugin } from './plugin.ts'
