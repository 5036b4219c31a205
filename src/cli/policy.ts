import {
  aboutPolicies,
  comparePolicies,
  composePolicy,
  defaultPolicy,
  explainPolicy,
  policies,
  recommendedPolicies,
} from '../compiler/index.ts'
import { invalidInput, modelTiers, shape, situationShape, didYouMean } from '../core/index.ts'
import type { PrehendError, Situation } from '../core/index.ts'
import { command } from './command.ts'
import type { OptionTable, OptionValues } from './command.ts'
import type { Io } from './io.ts'
import { policyAt } from './policy-file.ts'
import { comparisonText, explanationText, policyList } from './policy-report.ts'
import { trafficOf } from './policy-traffic.ts'

const situationOptions = {
  tenant: { type: 'text', about: 'for this tenant', placeholder: 'NAME' },
  task: { type: 'text', about: 'for this class of tasks', placeholder: 'NAME' },
  phase: {
    type: 'text',
    about: 'in this agent phase: planning, executing, reviewing, or one of your own',
    placeholder: 'NAME',
  },
  lifecycle: { type: 'text', about: 'in this phase of the life of an agent', placeholder: 'NAME' },
  regime: { type: 'text', about: 'in this regime', placeholder: 'NAME' },
  turn: { type: 'text', about: 'in a turn of this kind, such as decide', placeholder: 'NAME' },
  tier: { type: 'text', about: 'for a model of this tier', placeholder: 'TIER', choices: modelTiers },
  affect: {
    type: 'text',
    about: 'with this pleasure, arousal and dominance, each from -1 to 1, such as --affect=-0.4,0.5,0',
    placeholder: 'P,A,D',
  },
} as const satisfies OptionTable

const options = {
  ...situationOptions,
  on: {
    type: 'list',
    about: 'of diff: recorded traffic, as replay takes it, that both are tried on',
    placeholder: 'TRACE',
  },
  window: {
    type: 'number',
    about: 'of diff --on: tokens of the window that the traffic is packed for (default: a million)',
    placeholder: 'TOKENS',
    min: 1,
  },
  limit: { type: 'number', about: 'of diff --on: only the first N traces of each file', placeholder: 'N', min: 1 },
} as const satisfies OptionTable

export type PolicyOptions = OptionValues<typeof options> & { readonly json?: boolean }

const actions = ['list', 'explain', 'diff'] as const
type Action = (typeof actions)[number]

export const policyCommand = command({
  name: 'policy',
  about: 'list policies, show every figure of one and where it came from, or what differs between two',
  details: [
    'prehend policy list: those that come with the product: the recommended ones, then presets for special cases.',
    `prehend policy explain [POLICY]: what is in force in a situation (default: \`${defaultPolicy.id}\`). A policy is a name or a JSON file.`,
    'prehend policy diff A B: the figures that differ; with --on also what each would have made of recorded traffic, billed as replay bills it.',
  ],
  positional: { name: 'ACTION', about: 'list, explain or diff, and the policies', least: 1, most: 3 },
  options,
  examples: [
    'prehend policy explain governor --lifecycle Declining --regime Volatile',
    'prehend policy diff careful thrifty --on examples/session.jsonl',
  ],
  async run({ options: given, positionals: [action = '', ...named], io }) {
    if (!isAction(action)) throw unknownAction(action)
    requireCount(action, named)
    return run[action](named, given, io)
  },
})

type Run = (named: readonly string[], given: PolicyOptions, io: Io) => Promise<number | void>

const run: Readonly<Record<Action, Run>> = {
  async list(_, { json }, io) {
    const list = Object.values(policies).map(({ id, version }) => {
      const when = recommendedPolicies[id]
      const isRecommended = when !== undefined
      return { id, version, about: aboutPolicies[id] ?? '', recommended: isRecommended, ...(isRecommended && { when }) }
    })
    io.out(json === true ? line({ policies: list }) : policyList(list, io.columns))
  },
  async explain([name = defaultPolicy.id], given, io) {
    const { policy, written } = policyAt(name, 'POLICY')
    const explained = explainPolicy(policy, { situation: situationOf(given), written })
    io.out(given.json === true ? line(explained) : explanationText(explained, io.columns))
  },
  async diff([a = '', b = ''], given, io) {
    const situation = situationOf(given)
    const [before, after] = [policyAt(a, 'A').policy, policyAt(b, 'B').policy]
    const isAsked = Object.keys(situation).length > 0
    const differences = isAsked
      ? comparePolicies(composePolicy(before, situation).policy, composePolicy(after, situation).policy)
      : comparePolicies(before, after)
    const traffic =
      given.on === undefined
        ? undefined
        : await trafficOf([before, after], { ...given, files: given.on, situation, io })
    if (traffic === 'interrupted') return io.interrupted.reason === 'SIGTERM' ? 143 : 130
    const compared = { before: before.id, after: after.id, situation, differences, ...(traffic && { traffic }) }
    io.out(given.json === true ? line(compared) : comparisonText(compared, io.columns))
    return 0
  },
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}

function isAction(text: string): text is Action {
  return actions.some((action) => action === text)
}

function unknownAction(text: string): PrehendError {
  const hint = didYouMean(text, actions)
  return invalidInput('ACTION', `${JSON.stringify(text)} is not known`, `${hint}There are ${actions.join(', ')}.`)
}

const counts: Readonly<Record<Action, readonly [least: number, most: number]>> = {
  list: [0, 0],
  explain: [0, 1],
  diff: [2, 2],
}

function requireCount(action: Action, { length }: readonly string[]): void {
  const [least, most] = counts[action]
  if (length < least) throw invalidInput('POLICY', 'is missing', `Write prehend policy ${action} A B.`)
  if (length > most)
    throw invalidInput('POLICY', 'is one too many', `prehend policy ${action} takes ${most || 'none'}.`)
}

/** Throws `invalid-input` that names the option. */
function situationOf(given: PolicyOptions): Situation {
  const names = {
    tenant: given.tenant,
    taskClass: given.task,
    agentPhase: given.phase,
    lifecyclePhase: given.lifecycle,
    regime: given.regime,
    turnPhase: given.turn,
    modelTier: given.tier,
  }
  const said = Object.entries(names).filter(([, name]) => name !== undefined)
  const affect = given.affect === undefined ? {} : { affect: affectOf(given.affect) }
  const situation: Situation = { ...Object.fromEntries(said), ...affect }
  shape.check(situationShape, situation, 'situation')
  return situation
}

function affectOf(text: string): NonNullable<Situation['affect']> {
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  const [pleasure = Number.NaN, arousal = Number.NaN, dominance = Number.NaN] = numbers
  if (numbers.length !== 3 || numbers.some((value) => !(value >= -1 && value <= 1)))
    throw invalidInput('--affect', 'is not an affect', 'Give three numbers from -1 to 1, such as --affect=-0.4,0.5,0.')
  return { pleasure, arousal, dominance }
}
