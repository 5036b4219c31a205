import type { SessionEvent } from '../../core/index.ts'

/** Something that has happened, and where. */
export interface Happening {
  readonly tenant: string
  readonly session?: string
  readonly requestId?: string
  readonly event: SessionEvent
}

/** A happening with its number: each tenant's are counted from 1 on. */
export interface NumberedEvent extends Happening {
  readonly number: number
  readonly atMs: number
}

/** Where happenings are told. */
export interface EventSink {
  tell(happening: Happening): void
}

/** The newest happenings of each tenant, for whoever reads along. */
export interface EventRing extends EventSink {
  /** Tells this run of the gateway from others: numbers begin anew with each. */
  readonly run: string
  /** The number of a tenant's newest; 0 where there is none. */
  newest(tenant: string): number
  /** The first that is left after a number; undefined where there is none yet. */
  after(tenant: string, number: number): NumberedEvent | undefined
  /** Calls back at the next happening of a tenant, or when the ring closes; once. Gives what takes that back. */
  next(tenant: string, called: () => void): () => void
  /** Calls back with each happening from now on, until the returned function is called. */
  hear(listener: (happening: Happening) => void): () => void
  readonly isClosed: boolean
  close(): void
}

export interface RingOptions {
  readonly clock: () => number
  /** Most that is kept of a tenant. */
  readonly most?: number
}

interface OfTenant {
  readonly events: NumberedEvent[]
  readonly waiting: Set<() => void>
  newest: number
}

export function eventRing({ clock, most = 1000 }: RingOptions): EventRing {
  const tenants = new Map<string, OfTenant>()
  const of = (tenant: string): OfTenant => {
    const known = tenants.get(tenant) ?? { events: [], waiting: new Set(), newest: 0 }
    tenants.set(tenant, known)
    return known
  }
  const wake = ({ waiting }: OfTenant): void => {
    const called = [...waiting]
    waiting.clear()
    for (const each of called) each()
  }
  const listeners = new Set<(happening: Happening) => void>()
  let isClosed = false
  return {
    run: clock().toString(36),
    tell(happening) {
      const own = of(happening.tenant)
      own.newest += 1
      own.events[own.newest % most] = { ...happening, number: own.newest, atMs: clock() }
      wake(own)
      for (const listener of listeners) listener(happening)
    },
    hear(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    newest: (tenant) => of(tenant).newest,
    after(tenant, number) {
      const { events, newest } = of(tenant)
      return number >= newest ? undefined : events[Math.max(number + 1, newest - most + 1) % most]
    },
    next(tenant, called) {
      const { waiting } = of(tenant)
      waiting.add(called)
      return () => void waiting.delete(called)
    },
    get isClosed() {
      return isClosed
    },
    close() {
      isClosed = true
      for (const own of tenants.values()) wake(own)
    },
  }
}
