import { PassingMap } from '../../host/index.ts'
import { scopeKey } from '../kernel/scope-key.ts'
import type { Scope } from '../kernel/scope.ts'
import type { SessionBase, SessionFacts } from './unit-rows.ts'
import { listKinds } from '../tables/list-kinds.ts'
import { emptyBody } from './known-body.ts'
import type { KnownBody } from './known-body.ts'
import { emptyList, sizeOf } from './known-lists.ts'
import type { KnownList } from './known-lists.ts'

/** A session as it was last written from here. */
export interface KnownSession {
  /** Absent where there is none, as far as is known. */
  readonly base?: SessionBase
  /** By kind, all but the body. */
  readonly lists: readonly KnownList[]
  readonly body: KnownBody
}

export interface KnownSessions {
  get(scope: Scope): KnownSession
  put(scope: Scope, session: KnownSession): void
  /** Forgets what is believed to stand in the database. */
  forget(): void
}

/** What is remembered about sessions at most: how many, and how much of all by default. */
const rememberedSessions = 400
const usualBytes = 16 * 1024 * 1024

/** Most texts take a byte for each character. */
export function knownSessions(rememberedBytes = usualBytes): KnownSessions {
  const remembered = new PassingMap<string, { readonly session: KnownSession; readonly size: number }>()
  let rememberedSize = 0

  const drop = (key: string): void => {
    rememberedSize -= remembered.get(key)?.size ?? 0
    remembered.delete(key)
  }

  return {
    get: (scope) => remembered.get(scopeKey(scope))?.session ?? newSession,
    put(scope, session) {
      const key = scopeKey(scope)
      drop(key)
      const size = session.lists.reduce((total, list) => total + sizeOf(list), session.body.body.length)
      remembered.set(key, { session, size })
      rememberedSize += size
      for (const oldest of remembered.keys()) {
        const fits = rememberedSize <= rememberedBytes && remembered.size <= rememberedSessions
        if (fits || oldest === key) break
        drop(oldest)
      }
    },
    forget() {
      remembered.clear()
      rememberedSize = 0
    },
  }
}

/** One that nothing was written of. */
export const newSession: KnownSession = { lists: Object.values(listKinds).map(() => emptyList), body: emptyBody }

/** A session that somebody else has written to: of its lists only the length is known. */
export function foundSession(facts: SessionFacts | undefined): KnownSession {
  if (!facts) return newSession
  const { next, ...base } = facts
  const body = { ...emptyBody, next: next[listKinds.body] ?? 0 }
  return { base, lists: next.map((number) => ({ next: number, elements: [] })), body }
}
