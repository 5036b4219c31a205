import { grouped } from '../../core/index.ts'
import type { CompileResult, Policy } from '../../core/index.ts'
import { compile as usualCompile } from '../../sessions/index.ts'
import type { CompileRequest } from '../../sessions/index.ts'
import { ablatePairs, calibrateWeights, interactions } from '../packs/index.ts'
import type { CalibratedSection, Interaction } from '../packs/index.ts'
import { meanOf } from './mean-of.ts'
import type { Compile } from './pack-passages.ts'
import type { LabelledTask } from './read-tasks.ts'

/** What sections are worth to tasks whose answers are known, in packs of one size. */
export interface TaskReport {
  readonly name: string
  readonly tasks: number
  readonly budgetTokens: number
  /** Share of the answers that stand in packs of everything; mean over tasks. */
  readonly answered: number
  /** What is worth most first, with a weight for a policy. */
  readonly sections: readonly CalibratedSection[]
  /** In how many tasks two sections work together so. */
  readonly pairs: readonly ({ readonly sections: readonly [string, string] } & Readonly<Record<Interaction, number>>)[]
}

export interface TaskOptions {
  readonly policy: Policy
  readonly model?: string | undefined
  readonly budgetTokens: number
  readonly compile?: Compile | undefined
}

export function taskReport(name: string, tasks: readonly LabelledTask[], options: TaskOptions): TaskReport {
  const { policy, model, budgetTokens, compile = usualCompile } = options
  const windowTokens = Math.floor(budgetTokens / (1 - policy.reserveShare))
  const requests = tasks.map(({ items, request, answers }): AskedTask => {
    const budget = { windowTokens }
    return { items, policy, budget, frame: { request }, ...(model !== undefined && { model }), answers }
  })
  const pack = (task: AskedTask): CompileResult => {
    const { answers: _, ...input } = task
    return compile(input)
  }
  const worthOf =
    ({ answers }: AskedTask) =>
    (result: CompileResult): number =>
      answeredShare(result, answers)
  return {
    name,
    tasks: tasks.length,
    budgetTokens,
    answered: meanOf(requests.map((request) => worthOf(request)(pack(request)))) ?? 0,
    sections: calibrateWeights(requests, { compile: pack, worthOf }),
    pairs: pairsOf(requests.flatMap((request) => ablatePairs(request, { compile: pack, worth: worthOf(request) }))),
  }
}

interface AskedTask extends CompileRequest {
  readonly answers: readonly string[]
}

/** Answers that stand word for word in what the pack sends of its items; the request itself does not count. */
function answeredShare({ pack }: CompileResult, answers: readonly string[]): number {
  if (pack === undefined) return 0
  const texts = pack.entries.map(({ text }) => text)
  return answers.filter((answer) => texts.some((text) => text.includes(answer))).length / answers.length
}

function pairsOf(made: ReturnType<typeof ablatePairs>): TaskReport['pairs'] {
  const byPair = grouped(made, ({ sections }) => sections.toSorted().join('\n'))
  return Array.from(byPair.values(), (all) => {
    const [one = '', other = ''] = all[0]?.sections.toSorted() ?? []
    const countOf = (kind: Interaction): number => all.filter(({ interaction }) => interaction === kind).length
    const [redundant, complementary, independent] = interactions.map(countOf)
    return {
      sections: [one, other] as const,
      redundant: redundant ?? 0,
      complementary: complementary ?? 0,
      independent: independent ?? 0,
    }
  })
}
