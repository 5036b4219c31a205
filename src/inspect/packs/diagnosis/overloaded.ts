import { percent } from '../../percent.ts'
import { largePack } from './finding.ts'
import type { Case, Finding, FoundText } from './finding.ts'

const mostTools = 30

/** More than a model can use: little of it to do with the task, much of it said twice, too many tools, or no room left. */
export function overloaded(given: Case): readonly Finding[] {
  const { quality, packTokens } = given.manifest
  const { signalDensity = 1, duplication = 0, utilisation = 0 } = quality?.measures ?? {}
  const isLarge = packTokens >= largePack
  const tools = given.input.items.filter(({ id, section }) => section === 'tools' && given.shown.has(id))
  const toolTokens = given.pack.entries.reduce(
    (sum, { section, tokens }) => (section === 'tools' ? sum + tokens : sum),
    0,
  )
  const found: Finding[] = []
  const add = (weight: number, why: string, texts: readonly FoundText[], remedy: string): void =>
    void found.push({ cause: 'overloaded', weight: Math.min(0.9, weight), why, texts, remedy })
  if (isLarge && signalDensity < 0.5)
    add(
      1 - signalDensity,
      `${percent(1 - signalDensity)} of ${packTokens} tokens have nothing to do with the task, as far as words show.`,
      unused(given),
      'Leave out what nothing has used, or lower what its section may take.',
    )
  if (isLarge && duplication > 0.25)
    add(0.3 + duplication, `${percent(duplication)} of the tokens say again what stands before.`, [], 'Say each once.')
  if (tools.length > mostTools && toolTokens > 0.4 * packTokens)
    add(
      0.55,
      `${tools.length} tools take ${percent(toolTokens / packTokens)} of the request.`,
      [],
      'Offer the tools of the step only (tools_max_items).',
    )
  if (utilisation > 0.95)
    add(
      0.5,
      `It takes ${percent(utilisation)} of its room; what came last may have pushed out what matters.`,
      [],
      'Give a larger window, or send less.',
    )
  return found
}

/** The dearest items that no answer has used. */
function unused({ manifest: { waste }, pack, handles }: Case): readonly FoundText[] {
  const tokens = new Map(pack.entries.map((entry) => [entry.itemId, entry.tokens]))
  return (waste?.unusedIds ?? []).slice(0, 5).map((at) => {
    const handle = handles.get(at)
    return { at, text: `${tokens.get(at) ?? 0} tokens`, ...(handle !== undefined && { handle }) }
  })
}
