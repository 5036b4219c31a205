export type { IntegrationOptions } from '../neutral/index.ts'
export { prehendExtension } from './extension.ts'
