import type { Policy, PolicyChange, PolicyUpdate } from '../../core/index.ts'
import { frozenCopy, invalidInput, objectLike, shape, stableJson } from '../../core/index.ts'
import { validatePolicy } from './sound-policy.ts'

/** A change of a policy, and the policy after it. */
export interface RevisedPolicy {
  readonly policy: Policy
  readonly event: PolicyUpdate
}

const changesShape = objectLike('an object of changes')
const eventsShape = shape.list(
  shape.object<Pick<PolicyUpdate, 'policyId' | 'revision' | 'delta'>>({
    policyId: shape.name,
    revision: shape.count,
    delta: shape.list(objectLike<PolicyChange>()),
  }),
)

/**
 * A policy with some of its members replaced (`undefined` takes one away): its revision is one more, and the event carries the whole change.
 * Throws `invalid-input` where the result is no policy, or where nothing changes.
 */
export function revisePolicy(
  policy: Policy,
  changes: { readonly [Name in keyof Omit<Policy, 'id' | 'revision'>]?: Policy[Name] | undefined },
  trigger: string,
): RevisedPolicy {
  validatePolicy(policy)
  shape.check(changesShape, changes, 'changes')
  shape.check(shape.text, trigger, 'trigger')
  const kept = Object.entries({ ...policy, ...changes }).filter(([, value]) => value !== undefined)
  const next = { ...Object.fromEntries(kept), id: policy.id, revision: (policy.revision ?? 0) + 1 } as Policy
  validatePolicy(next)
  if (sameWords(policy, next))
    throw invalidInput('changes', 'change nothing', 'Give at least one member another value.')
  return { policy: frozenCopy(next), event: policyUpdate(policy, next, trigger) }
}

/** Whether two policies say the same, whatever their revisions. */
export function sameWords(one: Policy, other: Policy): boolean {
  return stableJson({ ...one, revision: 0 }) === stableJson({ ...other, revision: 0 })
}

/**
 * The event by which one policy becomes another; the first of all begins with nothing. Throws `invalid-input` where the revision does not
 * rise, or where it is another policy.
 */
export function policyUpdate(before: Policy | undefined, after: Policy, trigger: string): PolicyUpdate {
  const revision = after.revision ?? 0
  if (before !== undefined && before.id !== after.id)
    throw invalidInput('policy.id', `${after.id} is not ${before.id}`, 'A policy keeps its name.')
  if (before !== undefined && revision <= (before.revision ?? 0))
    throw invalidInput(
      'policy.revision',
      `${revision} does not rise above ${before.revision ?? 0}`,
      `Give policy ${after.id} revision ${(before.revision ?? 0) + 1} or more.`,
    )
  return {
    type: 'context:policy-updated',
    policyId: after.id,
    revision,
    trigger,
    delta: changesBetween(before ?? {}, after, []),
  }
}

/** The policy that the events tell, in their order; with none there is none. Throws `invalid-input` where one is missing or repeated. */
export function foldPolicy(events: readonly PolicyUpdate[], start?: Policy): Policy | undefined {
  shape.check(eventsShape, events, 'events')
  if (start !== undefined) validatePolicy(start)
  let policy: unknown = start
  let last = start?.revision ?? -1
  for (const { revision, delta, policyId } of events) {
    if (revision <= last)
      throw invalidInput(
        'events',
        `revision ${revision} of ${policyId} comes after ${last}`,
        'Give each event once, in order.',
      )
    last = revision
    policy = delta.reduce(withChange, policy ?? {})
  }
  return policy === undefined ? undefined : frozenCopy(policy as Policy)
}

type Path = readonly string[]

/** Objects member by member; lists and figures whole. */
function changesBetween(before: object, after: object, at: Path): readonly PolicyChange[] {
  const one = new Map<string, unknown>(Object.entries(before))
  const other = new Map<string, unknown>(Object.entries(after))
  const names = [...new Set([...one.keys(), ...other.keys()])].toSorted()
  return names.flatMap((name): readonly PolicyChange[] => {
    const [from, to] = [one.get(name), other.get(name)]
    const path = [...at, name]
    if (isGroup(from) && isGroup(to)) return changesBetween(from, to, path)
    if (from !== undefined && to !== undefined && stableJson(from) === stableJson(to)) return []
    return [{ path, ...(from !== undefined && { before: from }), ...(to !== undefined && { after: to }) }]
  })
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function withChange(value: unknown, { path: [name, ...rest], ...change }: PolicyChange): unknown {
  if (name === undefined) return value
  const members = Object.entries(isGroup(value) ? value : {})
  const own = members.find(([other]) => other === name)?.[1] as unknown
  const next = rest.length > 0 ? withChange(own, { path: rest, ...change }) : change.after
  const others = members.filter(([other]) => other !== name)
  return Object.fromEntries(next === undefined ? others : [...others, [name, next]])
}
