import type { Named, OverrideLevel, Policy, PolicyChanges, PolicyOverrides, Situation } from '../../core/index.ts'
import { overrideLevels } from '../../core/index.ts'
import { agentPhaseNamed } from './agent-phase-name.ts'

/** One set of changes that holds in a situation. */
export interface Layer {
  readonly level: OverrideLevel
  /** For people, such as `regime volatile`, or `tenant acme, regime volatile`. */
  readonly origin: string
  readonly changes: PolicyChanges
}

/** What holds in a situation, in the order in which it applies; what a tenant has of its own comes after what all have. */
export function layersOf({ overrides = {} }: Pick<Policy, 'overrides'>, situation: Situation): readonly Layer[] {
  const own = found(overrides.tenant, situation.tenant)
  return overrideLevels.flatMap((level): readonly Layer[] => {
    const name = level === 'agentPhase' ? phaseOf(overrides, situation) : situation[level]
    const everybodys = changesAt(overrides, level, name)
    const tenants = level === 'tenant' ? undefined : found(own?.[level], name)
    return [
      ...(everybodys === undefined ? [] : [{ level, origin: `${level} ${name}`, changes: everybodys }]),
      ...(tenants === undefined
        ? []
        : [{ level, origin: `tenant ${situation.tenant}, ${level} ${name}`, changes: tenants }]),
    ]
  })
}

/** A phase goes by its usual name, unless the policy knows it by the one that is said. */
function phaseOf({ agentPhase: phases }: PolicyOverrides, { agentPhase: said }: Situation): string | undefined {
  return said === undefined || found(phases, said) !== undefined ? said : agentPhaseNamed(said)
}

function changesAt(
  overrides: PolicyOverrides,
  level: OverrideLevel,
  name: string | undefined,
): PolicyChanges | undefined {
  return found<PolicyChanges>(overrides[level], name)
}

/** Own members only: names are the host's, and `constructor` may be one. */
export function found<Value>(named: Named<Value> | undefined, name: string | undefined): Value | undefined {
  return named !== undefined && name !== undefined && Object.hasOwn(named, name) ? named[name] : undefined
}
