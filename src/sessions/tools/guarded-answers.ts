import type { CompileInput, ToolResult } from '../../core/index.ts'
import { heuristicDetector, isQuarantined, quarantined } from '../../defense/index.ts'

/** What tools of ours bring back inside a reply, which no compile has seen: quoted as data where the policy would have it so. */
export function guarded({ policy }: Pick<CompileInput, 'policy'>, results: readonly ToolResult[]): ToolResult[] {
  const { defense } = policy
  if (defense?.untrusted !== 'quarantine' && defense?.untrusted !== 'reject') return [...results]
  const context = { trust: 'untrusted', section: 'history', kind: 'tool-result' } as const
  return results.map((result) => {
    const { score } = heuristicDetector.score(result.text, context)
    const isSuspect = score > 0 && score >= defense.threshold && !isQuarantined(result.text)
    return isSuspect ? { ...result, text: quarantined(result.text) } : result
  })
}
