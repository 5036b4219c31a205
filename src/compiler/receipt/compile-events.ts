import type { CompileEvent, Manifest, SecurityFinding } from '../../core/index.ts'

/** The host is warned of a section that keeps a smaller share of its tokens than this. */
const leastFidelity = 0.9

/** What the host is told about a compile, as projections of its receipt. */
export function compileEvents(manifest: Manifest, turn: number): readonly CompileEvent[] {
  const { sections, truncations, originalTokens, packTokens, epoch } = manifest
  const filled = sections.filter(({ included }) => included > 0)
  const events: CompileEvent[] = [{ type: 'context:assembled', turn, sections: filled.length, tokens: packTokens }]
  const shortened = [...new Set(truncations.map(({ section }) => section))]
  if (shortened.length > 0)
    events.push({ type: 'context:compacted', originalTokens, compactedTokens: packTokens, sections: shortened })
  for (const event of truncations) events.push({ type: 'context:truncated', event })
  for (const { section, fidelity } of sections)
    if (fidelity !== undefined && fidelity < leastFidelity) events.push({ type: 'context:fidelity', section, fidelity })
  for (const breach of manifest.quality?.breaches ?? []) events.push({ type: 'context:quality', breach })
  for (const finding of newFindings(manifest)) events.push({ type: 'security', finding })
  if (epoch !== undefined) events.push({ type: 'context:epoch', record: epoch })
  return events
}

/** What is suspected in a payload, or for the first time in a conversation, whose earlier texts have been told of before. */
export function newFindings({ layout, security, decisions }: Manifest): readonly SecurityFinding[] {
  const findings = security?.findings ?? []
  if (layout === 'payload' || findings.length === 0) return findings
  const reasons = new Map(decisions.map(({ itemId, reason }) => [itemId, reason]))
  return findings.filter(({ itemId }) => /^(?:recent|quarantined)$/.test(reasons.get(itemId) ?? ''))
}
