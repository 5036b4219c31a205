import { invalidInput, isJsonObject } from '../core/index.ts'
import { compareEvaluations } from '../inspect/index.ts'
import type { EvaluationChange } from '../inspect/index.ts'
import type { Evaluation } from './eval-run.ts'
import type { Io } from './io.ts'
import { parseJson, readText } from './read-text.ts'

/** What changed from one report to the other. Throws where the files are no two reports, or have no question in common. */
export async function comparedReports(files: readonly string[], io: Io): Promise<readonly EvaluationChange[]> {
  const [before, after] = files
  if (before === undefined || after === undefined || files.length > 2)
    throw invalidInput(
      '--compare',
      `takes two reports, not ${files.length}`,
      'Give the earlier one, then the later one',
    )
  const reports = [await reportAt(before, io), await reportAt(after, io)] as const
  const changes = compareEvaluations(reports[0].labelled, reports[1].labelled)
  if (changes.length > 0) return changes
  const remedy = 'Compare runs over the same files and budgets'
  throw invalidInput('--compare', 'the reports have no question in common', remedy)
}

async function reportAt(file: string, io: Io): Promise<Pick<Evaluation, 'labelled'>> {
  const value = parseJson(await readText(file, io), file)
  const labelled = isJsonObject(value) && value['schema'] === 'prehend.eval/1' ? value['labelled'] : undefined
  if (Array.isArray(labelled) && labelled.every(isReport)) return { labelled: labelled as Evaluation['labelled'] }
  throw invalidInput(file, 'is no report of an evaluation', 'Give what `prehend eval … --json` has printed')
}

function isReport(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    typeof value['name'] === 'string' &&
    ['budgets', 'perQuestion'].every((list) => Array.isArray(value[list]))
  )
}
