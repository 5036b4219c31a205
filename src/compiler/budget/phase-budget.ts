import type { BudgetRequest } from '../../core/index.ts'
import { invalidInput, shape } from '../../core/index.ts'
import { apportion } from './apportion.ts'

/** Percentages of the window by section; `reserve` is kept free for the reply. */
export type Percentages = Readonly<Record<string, number>>

/** The input of `phaseBudget`. Sizes are in tokens. */
export interface PhaseBudget {
  readonly windowTokens: number
  readonly phase: string
  /** The percentages of every phase. */
  readonly phases: Readonly<Record<string, Percentages>>
  /** What a tenant changes in them. */
  readonly overrides?: Readonly<Record<string, Percentages>>
  /** In overrides, 0 usually removes a section; with this, it stands for the default. */
  readonly zeroMeansDefault?: boolean
}

const phasesShape = shape.record(shape.record(shape.finite))

const optionsShape = shape.object<PhaseBudget>({
  windowTokens: shape.countFrom(1),
  phase: shape.name,
  phases: phasesShape,
  overrides: shape.optional(phasesShape),
  zeroMeansDefault: shape.optional(shape.flag),
})

/** Percentages per phase of an agent, brought to a sum of 100. */
export function phaseBudget(options: PhaseBudget): BudgetRequest {
  shape.check(optionsShape, options, '')
  const { windowTokens, phase, phases, overrides, zeroMeansDefault = false } = options
  const usual = Object.hasOwn(phases, phase) ? phases[phase] : undefined
  if (usual === undefined)
    throw invalidInput('phase', `there is no phase ${phase}`, `Use one of ${Object.keys(phases).join(', ')}.`)
  const changes = Object.entries(overrides?.[phase] ?? {}).filter(([, percent]) => percent !== 0 || !zeroMeansDefault)
  const entries = Object.entries({ ...usual, ...Object.fromEntries(changes) })
  for (const [section, percent] of entries)
    if (typeof percent !== 'number' || !(percent >= 0) || percent > 100)
      throw invalidInput(`phases.${phase}.${section}`, 'is not a percentage', 'Give a number from 0 to 100.')
  if (!entries.some(([, percent]) => percent > 0))
    throw invalidInput(`phases.${phase}`, 'has no section', 'Give at least one section a share.')
  const tokens = apportion(
    windowTokens,
    entries.map(([, percent]) => percent),
  )
  const sized = entries.map(([section], index) => ({ section, max: tokens[index] ?? 0 }))
  return {
    windowTokens,
    maxOutputTokens: sized.find(({ section }) => section === 'reserve')?.max ?? 0,
    sections: sized
      .filter(({ section }) => section !== 'reserve')
      .map(({ section, max }) => ({ section, min: 0, max })),
  }
}
