import type { Dialect } from '../../core/index.ts'
import type { ModelInfo } from '../../tokens/index.ts'

/** Models of before the feature. */
const without = /^claude-(?:[123]|instant)(?:[-.]|$)/

/** Whether a model's provider keeps definitions aside until the model has found them, and takes from us which these are. */
export function defersTools(dialect: Dialect, { id, provider }: Pick<ModelInfo, 'id' | 'provider'>): boolean {
  return dialect === 'anthropic-messages' && provider === 'anthropic' && !without.test(id)
}
