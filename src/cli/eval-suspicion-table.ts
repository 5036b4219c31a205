import { percent } from '../inspect/index.ts'
import type { SuspicionReport } from '../inspect/index.ts'
import { textTable } from './text-table.ts'
import { hanging } from './wrap-text.ts'

/** What is taken for orders, for people: a table for each detector. */
export function suspicionTable({ name, texts, detectors }: SuspicionReport, width: number | undefined): string {
  const tables = detectors.map(({ name: by, threshold, sources }) => {
    const rows = sources.map(({ source, benign, flagged, attacks, found, auc }) => [
      source,
      `${benign}`,
      percent(flagged),
      `${attacks}`,
      percent(found),
      auc === null ? 'n/a' : auc.toFixed(3),
    ])
    return textTable([`${by}, from ${threshold}`, 'benign', 'flagged', 'attacks', 'found', 'AUC'], rows)
  })
  return [hanging(`${name}: ${texts} texts`, width), '', tables.join('\n\n'), '', hanging(legend, width)].join('\n')
}

const legend =
  'In %: of benign texts those that are taken for orders, of attacks those that are found, as results of tools. AUC: how likely an attack scores above a benign text; all sources together also tell them apart by how long they are.'
