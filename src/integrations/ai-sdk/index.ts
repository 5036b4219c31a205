export type { IntegrationOptions } from '../neutral/index.ts'
export { prehendMiddleware } from './middleware.ts'
