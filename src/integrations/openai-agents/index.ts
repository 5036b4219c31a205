export type { IntegrationOptions } from '../neutral/index.ts'
export { prehendModel } from './packed-model.ts'
export { prehendProvider } from './packed-provider.ts'
