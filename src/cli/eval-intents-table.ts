import { percent } from '../inspect/index.ts'
import type { IntentReport } from '../inspect/index.ts'
import { textTable } from './text-table.ts'
import { hanging } from './wrap-text.ts'

/** Which intents are found for requests, for people. */
export function intentsTable(report: IntentReport, width: number | undefined): string {
  const { name, examplesName, examples, intents, inScope, outOfScope, methods, published } = report
  const title = `${name}: ${inScope} requests with an intent, ${outOfScope} without; ${examples} examples of ${intents} intents in ${examplesName}`
  const rows = [
    ...methods.map((one) => [
      titles[one.name] ?? one.name,
      percent(one.first),
      percent(one.amongThree),
      percent(one.amongTen),
      percent(one.accepted),
      percent(one.outOfScopeRecall),
      one.auc === null ? 'n/a' : one.auc.toFixed(3),
    ]),
    ...published.map((one) => [`* ${one.name}`, percent(one.first), '', '', '', percent(one.outOfScopeRecall), '']),
  ]
  const table = textTable(['intent found', 'first', 'in 3', 'in 10', 'accepted', 'refused', 'AUC'], rows)
  return [hanging(title, width), '', table, '', hanging(legend, width)].join('\n')
}

const titles: Readonly<Record<string, string>> = { bm25: 'BM25, word by word' }

const legend =
  'In %. The ten nearest examples vote. accepted: the right intent stands first, with more confidence than one of twenty examples has. refused: of requests without an intent, those with less. *: published, of a model that was trained on the examples.'
