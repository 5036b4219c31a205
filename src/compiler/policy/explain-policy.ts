import type { Policy, Situation } from '../../core/index.ts'
import { reliefStepsOf, shape, situationShape } from '../../core/index.ts'
import { composePolicy } from './compose-policy.ts'

/** One figure of a policy, and where it is from. */
export interface PolicyValue {
  /** Such as `epochs.keepFull`, `shares.evidence.max` or `fractions.memory`. */
  readonly path: string
  readonly value: string | number | boolean
  /** `base`, the policy itself; `extends careful`; `default`, where nobody says; or an override such as `regime volatile`. */
  readonly from: string
  /** What the policy itself says, where what is in force is another. */
  readonly base?: string | number | boolean
}

/** A policy as it is in force in a situation, figure by figure. */
export interface ExplainedPolicy {
  readonly id: string
  readonly version: string
  readonly revision: number
  readonly situation: Situation
  readonly overrides: readonly string[]
  /** Every figure in force. */
  readonly values: readonly PolicyValue[]
}

type Figure = PolicyValue['value']
type Flat = ReadonlyMap<string, Figure>

/** Every figure of a policy by its path; sections stand by their names. */
export function policyFigures(policy: object): Flat {
  const flat = new Map<string, Figure>()
  put(flat, '', policy)
  return flat
}

function put(flat: Map<string, Figure>, at: string, value: unknown): void {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') flat.set(at, value)
  else if (value === null) flat.set(at, 'null')
  else if (Array.isArray(value)) putList(flat, at, value)
  else if (typeof value === 'object')
    for (const [name, member] of Object.entries(value)) put(flat, at === '' ? name : `${at}.${name}`, member)
}

function putList(flat: Map<string, Figure>, at: string, list: readonly unknown[]): void {
  const isPlain = list.every((one) => typeof one !== 'object')
  if (isPlain) flat.set(at, list.join(', ') || 'none')
  else
    for (const [index, one] of list.entries()) {
      const { section, ...rest } = one as { readonly section?: unknown }
      put(flat, typeof section === 'string' ? `${at}.${section}` : `${at}[${index}]`, rest)
    }
}

/** What holds where a policy says nothing. */
const defaults: ReadonlyMap<string, Figure> = new Map<string, Figure>([
  ['revision', 0],
  ['provenance', 'full'],
  ['requires', 'none'],
  ['promptCache', true],
  ['toolSchemas', 'truncate'],
  ['coreTools', 'none'],
  ['tools.selection', 'off'],
  ['losslessForms', true],
  ['trackWaste', false],
  ['measureQuality', false],
  ['findContradictions', false],
])

/** Options of `explainPolicy`. */
export interface ExplainOptions {
  readonly situation?: Situation
  /** The policy as it was written, where it extends another: tells what it says itself. */
  readonly written?: unknown
}

const optionsShape = shape.object<Omit<ExplainOptions, 'written'>>({ situation: shape.optional(situationShape) })

/** Every figure of a policy in a situation, and where it came from. Pure. */
export function explainPolicy(policy: Policy, options: ExplainOptions = {}): ExplainedPolicy {
  shape.check(optionsShape, options, 'options')
  const { situation = {}, written } = options
  const inForce = composePolicy(policy, situation)
  const own = policyFigures(policy)
  const said = saidBy(written)
  const { id, version, overrides: _, ...rest } = inForce.policy
  const figures = policyFigures(rest)
  const values = [...defaults, summariesOf(inForce.policy)].filter(([path]) => !figures.has(path))
  return {
    id,
    version,
    revision: policy.revision ?? 0,
    situation,
    overrides: inForce.overrides,
    values: [
      ...profileSteps(inForce.policy, inForce.origins.get('relief') ?? said('relief')),
      ...Array.from(figures, ([path, value]): PolicyValue => {
        const base = own.get(path)
        const from = inForce.origins.get(path) ?? said(path)
        return { path, value, from, ...(base !== undefined && base !== value && { base }) }
      }),
      ...values.map(([path, value]): PolicyValue => ({ path, value, from: 'default' })),
    ].toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  }
}

/** Who says anything of summaries wants them. */
function summariesOf({ summaries }: Policy): readonly [string, Figure] {
  return ['summaries.mode', summaries === undefined ? 'off' : 'checkpoint']
}

/** Where a policy names an order of relief, its steps. */
function profileSteps({ relief }: Policy, from: string): readonly PolicyValue[] {
  if (typeof relief !== 'string') return []
  return [{ path: 'relief.steps', value: (reliefStepsOf(relief) ?? []).join(', '), from }]
}

/** Of a file that extends another, what it does not say is the other's. */
function saidBy(written: unknown): (path: string) => string {
  if (typeof written !== 'object' || written === null || !('extends' in written)) return () => 'base'
  const own = policyFigures(written)
  const lists = ['shares', 'sections'].filter((name) => name in written)
  const base = `extends ${String(written.extends)}`
  return (path) => (own.has(path) || lists.some((name) => path.startsWith(`${name}.`)) ? 'base' : base)
}

/** A figure that two policies do not have in common; absent where one does not say it. */
export interface PolicyDifference {
  readonly path: string
  readonly before?: Figure
  readonly after?: Figure
}

/** What differs between two policies, by path; of their names and versions nothing is told. */
export function comparePolicies(before: Policy, after: Policy): readonly PolicyDifference[] {
  const one = policyFigures({ ...before, id: '', version: '' })
  const other = policyFigures({ ...after, id: '', version: '' })
  const paths = [...new Set([...one.keys(), ...other.keys()])].toSorted()
  return paths.flatMap((path) => {
    const from = one.get(path)
    const to = other.get(path)
    return from === to
      ? []
      : [{ path, ...(from !== undefined && { before: from }), ...(to !== undefined && { after: to }) }]
  })
}
