import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { invalidInput, isJsonObject } from '../../core/index.ts'
import type { Trial } from '../../inspect/index.ts'
import { parseJson } from '../read-text.ts'

/** What runs must have in common to be reported together; the first line of a results file. */
export interface Experiment {
  readonly schema: 'prehend.live/1'
  readonly model: string
  readonly provider: string
  readonly seed: number
  readonly maxTurns: number
  readonly maxOutputTokens: number
  /** Hashes of tasks and policies, by name. */
  readonly tasks: Readonly<Record<string, string>>
  readonly policies: Readonly<Record<string, string>>
}

export interface TrialLog {
  /** Runs of earlier calls. */
  readonly earlier: readonly Trial[]
  add(trial: Trial): void
}

/** A file of results, or nothing but memory. Throws `invalid-input` where the file holds another experiment, or one that nobody asked to resume. */
export function openTrialLog(file: string | undefined, experiment: Experiment, resumes: boolean): TrialLog {
  if (file === undefined) return { earlier: [], add: () => undefined }
  const text = existsSync(file) ? wholeLines(readFileSync(file, 'utf8')) : ''
  const [head, ...lines] = text.split('\n').filter((line) => line.trim() !== '')
  if (head !== undefined && !resumes)
    throw invalidInput('--out', `${file} holds results`, 'Add --resume to go on, or name another file')
  if (head !== undefined) requireSame(parseJson(head, file), experiment, file)
  const earlier = lines.map((line, at) => parseJson(line, `${file}, line ${at + 2}`)).filter(isTrial)
  // Anew, without a line that was cut off.
  writeFileSync(file, head === undefined ? `${JSON.stringify(experiment)}\n` : text)
  return { earlier, add: (trial) => appendFileSync(file, `${JSON.stringify(trial)}\n`) }
}

/** A process that was killed may have left a part of a line. */
function wholeLines(text: string): string {
  return text.slice(0, text.lastIndexOf('\n') + 1)
}

function isTrial(value: unknown): value is Trial {
  return isJsonObject(value) && value['schema'] === 'prehend.trial/1'
}

function requireSame(head: unknown, experiment: Experiment, file: string): void {
  const other = isJsonObject(head) ? head : {}
  if (other['schema'] !== experiment.schema)
    throw invalidInput('--out', `${file} holds no results of --live`, 'Name another file')
  const names = Object.keys(experiment) as readonly (keyof Experiment)[]
  const changed = names.filter((name) => JSON.stringify(other[name]) !== JSON.stringify(experiment[name]))
  if (changed.length === 0) return
  const remedy = 'Give the same options, tasks and policies, or name another file'
  throw invalidInput('--resume', `${file} is of another experiment (${changed.join(', ')} differ)`, remedy)
}
