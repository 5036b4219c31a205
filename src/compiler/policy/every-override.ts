import type { OverrideLevel, PolicyChanges, PolicyOverrides } from '../../core/index.ts'
import { overrideLevels } from '../../core/index.ts'

export interface WrittenOverride {
  /** Where it stands, such as `overrides.regime.volatile`. */
  readonly at: string
  readonly level: OverrideLevel
  /** Whose alone it is. */
  readonly tenant?: string
  readonly changes: PolicyChanges
}

/** All overrides by name that a policy has, those of its tenants too. */
export function everyOverride(overrides: PolicyOverrides): readonly WrittenOverride[] {
  const tenants = Object.entries(overrides.tenant ?? {})
  return [
    ...ofLevels(overrides, 'overrides', overrideLevels),
    ...tenants.flatMap(([tenant, own]) =>
      ofLevels(own, `overrides.tenant.${tenant}`, overrideLevels.slice(1)).map((written) => ({ ...written, tenant })),
    ),
  ]
}

function ofLevels(
  overrides: PolicyOverrides,
  at: string,
  levels: readonly OverrideLevel[],
): readonly WrittenOverride[] {
  return levels.flatMap((level) =>
    Object.entries<PolicyChanges>(overrides[level] ?? {}).map(([name, changes]) => ({
      at: `${at}.${level}.${name}`,
      level,
      changes,
    })),
  )
}
