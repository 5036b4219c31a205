export type { IntegrationOptions } from '../neutral/index.ts'
export { prehendProcessor } from './processor.ts'
export type { PrehendProcessor } from './processor.ts'
