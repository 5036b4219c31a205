import type { Scope } from './scope.ts'

/** One text for a scope, another for every other one. */
export function scopeKey({ tenant, session, lane = '' }: Scope): string {
  return `${tenant.length} ${session.length} ${tenant}${session}${lane}`
}
