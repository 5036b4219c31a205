import { scopeKey } from '../../kernel/scope-key.ts'
import type { Scope } from '../../kernel/scope.ts'
import { movedOn } from '../../kernel/store.ts'
import type { MemoryKernel, MemoryTable } from '../../kernel/table.ts'
import { outcomeIn } from './outcome-rows.ts'
import { usualWeight } from './outcome.ts'
import type { OutcomeTypes, OutcomeWrite, RecordedOutcome } from './outcome.ts'

export function memoryOutcomes({ lanes, tenants, sessions: sessionsOf }: MemoryKernel): MemoryTable<OutcomeTypes> {
  const sessions = new Map<string, Map<string, RecordedOutcome>>()
  const of = ({ tenant, session }: Scope) => sessions.get(scopeKey({ tenant, session }))
  return {
    check(write, { scope }) {
      const known = of(scope)?.get(keyOf(write))
      const fits = write.replace === true || known === undefined || known.quality === write.quality
      if (!fits || lanes(scope.tenant, scope.session).length === 0) throw movedOn(scope)
    },
    apply(write, { scope: { tenant, session }, nowMs: atMs }) {
      const outcomes = of({ tenant, session }) ?? new Map<string, RecordedOutcome>()
      sessions.set(scopeKey({ tenant, session }), outcomes)
      const key = keyOf(write)
      if (write.replace === true || !outcomes.has(key)) outcomes.set(key, outcomeOf(write, atMs))
    },
    reads: {
      list: (tenant, session) => [...(of({ tenant, session })?.values() ?? [])].toSorted(byTime),
    },
    prune({ gone }) {
      let rows = 0
      for (const { scope } of gone) {
        const { tenant, session } = scope
        if (lanes(tenant, session).length > 0) continue
        rows += of(scope)?.size ?? 0
        sessions.delete(scopeKey({ tenant, session }))
      }
      return rows
    },
    portable: {
      *rows({ tenant: asked }) {
        for (const tenant of asked === undefined ? tenants() : [asked])
          for (const session of new Set(sessionsOf(tenant).map(([first]) => first?.scope.session ?? '')))
            for (const one of of({ tenant, session })?.values() ?? []) {
              const { requestId = '', source, quality, weight, atMs, note = null } = one
              yield { relation: 'outcomes', cells: [tenant, session, requestId, source, quality, weight, atMs, note] }
            }
      },
      put({ cells: [tenant, session, request_id, source, quality, weight, at_ms, note] }) {
        const scope = { tenant: String(tenant), session: String(session) }
        const outcome = outcomeIn({ request_id, source, quality, weight, at_ms, note })
        sessions.set(scopeKey(scope), (of(scope) ?? new Map<string, RecordedOutcome>()).set(keyOf(outcome), outcome))
      },
    },
  }
}

function outcomeOf({ requestId, source, quality, note }: OutcomeWrite, atMs: number): RecordedOutcome {
  return {
    ...(requestId !== undefined && { requestId }),
    source,
    quality,
    weight: usualWeight,
    atMs,
    ...(note !== undefined && { note }),
  }
}

function byTime(one: RecordedOutcome, other: RecordedOutcome): number {
  return one.atMs - other.atMs || (keyOf(one) < keyOf(other) ? -1 : 1)
}

function keyOf({ requestId = '', source }: Pick<OutcomeWrite, 'requestId' | 'source'>): string {
  return `${requestId} ${source}`
}
