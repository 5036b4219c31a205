import type { ManifestDecision } from '../../core/index.ts'
import type { Measured } from './measured.ts'

/** Why something may be left out of a conversation without a loss. */
const noLoss: ReadonlySet<string> = new Set(['duplicate', 'expired', 'out-of-scope', 'no-place', 'deferred'])

/** Whether what is not shown is a loss. */
export function isLoss({ section, rung, reason }: ManifestDecision): boolean {
  return section === 'history' && rung === 'omitted' && !noLoss.has(reason)
}

/**
 * By tokens of the originals: what is shortened counts as its form says of itself, and what is left out of a conversation not at all. What
 * was not chosen, such as evidence that nothing speaks for, is no loss of a form.
 */
export function statedFidelity({ forms, decisions }: Pick<Measured, 'forms' | 'decisions'>): number {
  let all = 0
  let left = 0
  for (let index = 0; index < decisions.length; index += 1) {
    const decision = decisions[index] as ManifestDecision
    const form = forms[index]
    const { originalTokens } = decision
    if (form === undefined && !isLoss(decision)) continue
    all += originalTokens
    left += originalTokens * (form?.rendition.fidelity ?? 0)
  }
  return all === 0 ? 1 : left / all
}
