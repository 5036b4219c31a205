import type {
  CompactionPolicy,
  EpochPolicy,
  Floors,
  JustReadPolicy,
  Policy,
  PolicyOverrides,
  Pressure,
  RankPolicy,
} from '../../core/index.ts'
import {
  compactionPolicyShape,
  didYouMean,
  epochPolicyShape,
  frozenCopy,
  invalidInput,
  justReadPolicyShape,
  isPrehendError,
  objectLike,
  overrideLevels,
  policyShape,
  PrehendError,
  shape,
} from '../../core/index.ts'
import { validatePolicy } from './sound-policy.ts'
import { policies } from './policies.ts'
import type { PolicyChoice } from './policies.ts'
import { policyGroups } from './policy-groups.ts'
import { requireVersion } from './semantic-version.ts'

const { object, name, optional, orNull, partial, record, text } = shape

/** Changes of the figures of epochs; groups within them change member by member, and null takes one away. */
export interface ChangedEpochs extends Partial<Omit<EpochPolicy, 'compaction' | 'justRead'>> {
  readonly compaction?: Partial<CompactionPolicy> | null
  readonly justRead?: Partial<JustReadPolicy> | null
}

/**
 * A policy that starts from another, with what is changed in it. Groups of figures (`epochs`, `floors`, `rank`, `pressure`) change
 * member by member, overrides by name; lists are replaced.
 */
export interface ChangedPolicy extends Omit<
  Partial<Policy>,
  'id' | 'version' | 'epochs' | 'floors' | 'rank' | 'pressure'
> {
  readonly extends: string
  readonly id: string
  /** Semantic: `1.2.0`. */
  readonly version: string
  readonly epochs?: ChangedEpochs
  readonly floors?: Partial<Floors>
  readonly rank?: Partial<RankPolicy>
  readonly pressure?: Partial<Pressure>
}

const { members } = policyShape

export const changedPolicyShape: shape.ObjectShape<ChangedPolicy> = object<ChangedPolicy>({
  ...partial(policyShape).members,
  extends: name,
  id: name,
  version: name,
  epochs: optional(
    object<ChangedEpochs>({
      ...partial(epochPolicyShape).members,
      compaction: optional(orNull(partial(compactionPolicyShape))),
      justRead: optional(orNull(partial(justReadPolicyShape))),
    }),
  ),
  floors: optional(partial(members.floors as shape.ObjectShape<Floors>)),
  rank: optional(partial(members.rank as shape.ObjectShape<RankPolicy>)),
  pressure: optional(partial(members.pressure as shape.ObjectShape<Pressure>)),
})

/** By what name a policy may be started from, and what it then is. */
export type KnownPolicies = Readonly<Record<string, Policy>>

/** Options of `readPolicy`. */
export interface ReadPolicyOptions {
  /** Where the value stands, for messages. */
  readonly at?: string
  /** Those that come with the product by default. */
  readonly known?: KnownPolicies
}

const optionsShape = shape.object<ReadPolicyOptions>({ at: optional(text), known: optional(record(objectLike())) })

/**
 * Reads a policy as it stands in a file: a name, a whole policy, or one that `extends` another. Strict: what is missing, wrong, unknown
 * or contradictory is an `invalid-input` that names its path. What it gives is immutable.
 *
 * ```ts
 * import { readPolicy } from 'prehend'
 *
 * const policy = readPolicy({ extends: 'balanced', id: 'reviews', version: '1.0.0', epochs: { keepFull: 8 } })
 * console.log(policy.id)
 * ```
 */
export function readPolicy(value: unknown, options: ReadPolicyOptions = {}): Policy {
  shape.check(optionsShape, options, 'options')
  const { at = 'policy', known = policies } = options
  if (typeof value === 'string') return knownPolicy(value, at, known)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidInput(at, 'is not a policy', 'Give the name of a policy, or an object.')
  const policy = 'extends' in value ? extended(value, at, known) : wholePolicy(value, at)
  requireVersion(policy.version, `${at}.version`)
  if (Object.hasOwn(policies, policy.id) && policies[policy.id] !== policy)
    throw invalidInput(`${at}.id`, `${policy.id} comes with the product`, 'Give it a name of its own.')
  // What a caller may still change is no part of a policy.
  const own = frozenCopy(policy)
  try {
    validatePolicy(own)
  } catch (error) {
    throw movedTo(error, at)
  }
  return own
}

/** What is wrong with `policy`, where the policy stands. */
function movedTo(error: unknown, at: string): unknown {
  if (!isPrehendError(error) || error.code !== 'invalid-input' || !('field' in error.data)) return error
  const { field } = error.data
  if (!field.startsWith(root) || !error.message.startsWith(field)) return error
  const place = at + field.slice(root.length)
  return new PrehendError('invalid-input', place + error.message.slice(field.length), { ...error.data, field: place })
}

/** Where paths of what is validated begin. */
const root = 'policy'

/** The policy that a caller chose, by name or as a value. Throws `invalid-input` that names `policy`. */
export function chosenPolicy(choice: PolicyChoice): Policy {
  if (typeof choice === 'string') return knownPolicy(choice, root)
  validatePolicy(choice)
  return choice
}

/** A policy by its name. Throws `invalid-input` that names the field. */
export function knownPolicy(id: string, field: string, known: KnownPolicies = policies): Policy {
  const policy = Object.hasOwn(known, id) ? known[id] : undefined
  if (policy !== undefined) return policy
  const names = Object.keys(known)
  throw invalidInput(field, `${id} is not a policy`, `${didYouMean(id, names)}Use one of ${names.join(', ')}.`)
}

function wholePolicy(value: object, at: string): Policy {
  shape.check(policyShape, value, at, { strict: true })
  return value as Policy
}

function extended(value: object, at: string, known: KnownPolicies): Policy {
  shape.check(changedPolicyShape, value, at, { strict: true })
  const { extends: base, ...changes } = value as ChangedPolicy
  const start = knownPolicy(base, `${at}.extends`, known)
  const overrides = mergedOverrides(start.overrides, changes.overrides)
  const groups = policyGroups.filter((group) => (changes[group] ?? start[group]) !== undefined)
  const policy = groups.reduce<Policy>(
    (made, group) => ({ ...made, [group]: { ...start[group], ...changes[group] } }),
    {
      ...start,
      ...changes,
      ...(overrides && { overrides }),
    } as Policy,
  )
  const epochs = changedEpochs(start.epochs, changes.epochs)
  shape.check(epochPolicyShape, epochs, `${at}.epochs`, { strict: true })
  return { ...policy, epochs }
}

function changedEpochs(start: EpochPolicy, { compaction, justRead, ...figures }: ChangedEpochs = {}): EpochPolicy {
  const { compaction: compactionBefore, justRead: justReadBefore, ...figuresBefore } = start
  const compactionAfter = changedGroup(compactionBefore, compaction)
  const justReadAfter = changedGroup(justReadBefore, justRead)
  return {
    ...figuresBefore,
    ...figures,
    ...(compactionAfter && { compaction: compactionAfter }),
    ...(justReadAfter && { justRead: justReadAfter }),
  }
}

function changedGroup<Group>(before: Group | undefined, changes: Partial<Group> | null | undefined): Group | undefined {
  if (changes === null) return undefined
  return changes === undefined ? before : ({ ...before, ...changes } as Group)
}

/** Named ones are added to those that there are; a name that there is, is replaced. */
function mergedOverrides(
  before: PolicyOverrides | undefined,
  changes: PolicyOverrides | undefined,
): PolicyOverrides | undefined {
  if (before === undefined || changes === undefined) return changes ?? before
  const levels = [...overrideLevels, 'turnPhase'] as const
  const named = levels.filter((level) => before[level] !== undefined && changes[level] !== undefined)
  return {
    ...before,
    ...changes,
    ...Object.fromEntries(named.map((level) => [level, { ...before[level], ...changes[level] }])),
  }
}
