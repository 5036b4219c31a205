import type { ProviderEditing } from '../../core/index.ts'
import { isJsonObject } from '../../core/index.ts'
import type { Field } from '../read-field.ts'
import { valueAt } from '../sampling-fields.ts'

export function responsesEditing(body: Field): ProviderEditing | undefined {
  const management = valueAt(body, 'context_management')
  const edits = Array.isArray(management) ? management.filter(isJsonObject) : []
  const above = edits.find(({ type }) => type === 'compaction')?.['compact_threshold']
  return typeof above === 'number' && above >= 0 ? { compactsAboveTokens: above } : undefined
}
