import { invalidInput } from '../../core/index.ts'
import type { CompileInput, CompileResult, InjectionDetector, Item, Outcome } from '../../core/index.ts'
import { heuristicDetector } from '../../defense/index.ts'
import { namesIn } from '../../ladders/index.ts'
import { buried } from './diagnosis/buried.ts'
import { conflicting } from './diagnosis/conflicting.ts'
import type { Case, Finding, RootCause } from './diagnosis/finding.ts'
import { missing } from './diagnosis/missing.ts'
import { overloaded } from './diagnosis/overloaded.ts'
import { poisoned } from './diagnosis/poisoned.ts'

export { rootCauses } from './diagnosis/finding.ts'
export type { Finding, FoundText, RootCause } from './diagnosis/finding.ts'

/** Options of `diagnose`. */
export interface DiagnoseOptions {
  /** Compiles an input: `compile`, or the method of a compiler. */
  compile(input: CompileInput): CompileResult
  /** Texts that whoever answers needs; beside the names in a request of up to 600 characters. */
  readonly needed?: readonly string[]
  readonly detector?: InjectionDetector
}

/** Why a model may go wrong by what it was shown. */
export interface Diagnosis {
  /** That of the first finding; absent where nothing was found. */
  readonly cause?: RootCause
  /** The gravest first. */
  readonly findings: readonly Finding[]
  readonly packTokens: number
}

const checks = [missing, poisoned, buried, conflicting, overloaded]

/**
 * Looks for the five root causes in a request as it is packed: what is missing, poisoned, buried, conflicting, or too much. It is compiled
 * again with everything measured, to the same pack. By words, without a model: hints with their places, and no proof. Throws
 * `invalid-input` where nothing is packed.
 *
 * ```ts
 * const { cause, findings } = diagnose(input, { compile, needed: ['retry_ceiling_ms'] })
 * ```
 */
export function diagnose(input: CompileInput, options: DiagnoseOptions): Diagnosis {
  const { quality: _, ...policy } = input.policy
  const measured = { ...policy, measureQuality: true, trackWaste: true, findContradictions: true }
  const { manifest, pack, outcome } = options.compile({ ...input, policy: measured })
  if (pack === undefined)
    throw invalidInput('input', `has no pack: ${outcomeText(outcome)}`, 'Diagnose what fits, or give a larger window.')
  const asking = askingItems(input)
  const request = input.frame?.request ?? asking.map(({ text }) => text).join('\n')
  const given: Case = {
    input,
    manifest,
    pack,
    request,
    asking: new Set(asking.map(({ id }) => id)),
    needed: neededTexts(request, options.needed),
    shown: new Map(pack.entries.map((entry) => [entry.itemId, entry.text])),
    whole: new Set(
      pack.entries.flatMap(({ itemId, rung }) => (rung === 'full' || rung === 'lossless' ? [itemId] : [])),
    ),
    handles: new Map(
      manifest.decisions.flatMap(({ itemId, handle }) => (handle === undefined ? [] : [[itemId, handle]])),
    ),
    detector: options.detector ?? heuristicDetector,
  }
  const findings = checks.flatMap((check) => check(given)).toSorted((one, other) => other.weight - one.weight)
  const [first] = findings
  return { ...(first && { cause: first.cause }), findings, packTokens: manifest.packTokens }
}

/** The newest words of the user. */
function askingItems({ items, frame }: CompileInput): readonly Item[] {
  if (frame !== undefined) return items.filter(({ section }) => section === 'query')
  const last = items.findLast(({ role, kind }) => role === 'user' && kind === 'text')
  return last === undefined ? [] : [last]
}

/** Of a longer request, such as a report of a fault, most names are not what is asked for. */
const longestQuestion = 600
const mostNames = 20
const shortestName = 5

function neededTexts(request: string, named: readonly string[] = []): Case['needed'] {
  const empty = named.findIndex((text) => text.trim() === '')
  if (empty >= 0) throw invalidInput(`needed[${empty}]`, 'is empty', 'Give a text that whoever answers needs.')
  const names = new Set(request.length > longestQuestion ? [] : request.split('\n').flatMap(namesIn))
  return [
    ...named.map((text) => ({ text, isNamed: true })),
    ...[...names]
      .filter((text) => text.length >= shortestName && !named.includes(text))
      .slice(0, mostNames)
      .map((text) => ({ text, isNamed: false })),
  ]
}

function outcomeText(outcome: Outcome): string {
  return 'neededTokens' in outcome
    ? `${outcome.kind}, it needs ${outcome.neededTokens} tokens and has ${outcome.availableTokens}`
    : outcome.kind
}
