import type { DecisionChange, FigureChange, PackComparison, Standing } from '../inspect/packs/index.ts'
import { isUnchanged } from '../inspect/packs/index.ts'
import { fittedTable, textTable } from './text-table.ts'
import { hanging } from './wrap-text.ts'

/** A comparison, told to a person. */
export function diffReport(comparison: PackComparison, columns?: number): string {
  if (isUnchanged(comparison)) return 'the same pack\n'
  const { packTokens, utilisation, settings, sections, decisions, samePack } = comparison
  const share = (value: number): string => value.toFixed(3)
  const facts = [
    `tokens     ${change(packTokens)}, utilisation ${share(utilisation.before)} -> ${share(utilisation.after)}`,
    `items      ${itemLine(comparison)}`,
    ...settings.map(({ name, before, after }) => `setting    ${name} ${before} -> ${after}`),
    ...(samePack ? ['bytes      the same'] : []),
  ]
  const rows = sections.map(({ section, usedTokens, allocatedTokens, included }) => [
    section,
    change(usedTokens),
    change(allocatedTokens),
    change(included),
  ])
  const table = rows.length === 0 ? [] : ['', textTable(['section', 'used', 'allocated', 'items'], rows)]
  return `${[...facts.map((fact) => hanging(fact, columns)), ...table, ...decisionLines(decisions, columns)].join('\n')}\n`
}

function itemLine({ delta, decisions }: PackComparison): string {
  const count = (part: Readonly<Record<string, readonly unknown[]>>): number => Object.values(part).flat().length
  const edited = decisions.filter((one) => one.edited).length
  const { added, removed, modified } = delta
  return `${count(added)} added, ${count(removed)} removed, ${count(modified)} shown otherwise, ${edited} of all candidates edited`
}

const shownDecisions = 40

/** Those that changed most first. */
function decisionLines(decisions: readonly DecisionChange[], columns?: number): readonly string[] {
  if (decisions.length === 0) return []
  const size = ({ before, after }: DecisionChange): number => Math.abs((after?.tokens ?? 0) - (before?.tokens ?? 0))
  const rows = decisions
    .toSorted((one, other) => size(other) - size(one))
    .slice(0, shownDecisions)
    .map((one) => [one.itemId, one.section, standing(one.before), standing(one.after), one.edited ? 'edited' : ''])
  const more =
    decisions.length > rows.length ? [`… and ${decisions.length - rows.length} more; --json has them all`] : []
  return [
    '',
    fittedTable(['item', 'section', 'A', 'B', 'content'], rows, { columns, drop: ['content', 'section'] }),
    ...more,
  ]
}

function standing(one: Standing | undefined): string {
  return one === undefined ? 'not there' : `${one.rung} ${one.tokens} (${one.reason})`
}

function change({ before, after, delta }: FigureChange): string {
  return `${before} -> ${after} (${delta > 0 ? '+' : ''}${delta})`
}
