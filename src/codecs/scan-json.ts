export { scanJson } from '../core/index.ts'
export type { JsonNode, JsonTree } from '../core/index.ts'
