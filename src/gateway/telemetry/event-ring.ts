import type { SessionEvent } from '../../core/index.ts'

/** Something that has happened, and where. */
export interface Happening {
  readonly tenant: string
  readonly session?: string
  readonly requestId?: string
  readonly event: SessionEvent
}

/** A happening of any process of the gateway. */
export interface DatedEvent extends Happening {
  readonly atMs: number
  /** The run that it happened in, and its number there. */
  readonly id: string
}

/** A happening with its number in this ring: each tenant's are counted from 1 on. */
export interface NumberedEvent extends DatedEvent {
  readonly number: number
}

/** Where happenings are told. */
export interface EventSink {
  tell(happening: Happening): void
}

/** The newest happenings of each tenant, for whoever reads along. */
export interface EventRing extends EventSink {
  /** The number of the event that has this id; undefined where it is not there. */
  numberOf(tenant: string, id: string): number | undefined
  /** Takes in what has happened in another process. Only readers hear of it. */
  add(event: DatedEvent): void
  /** Lets go of what was told of a tenant. */
  forget(tenant: string): void
  /** The number of a tenant's newest; 0 where there is none. */
  newest(tenant: string): number
  /** The first that is left after a number; undefined where there is none yet. */
  after(tenant: string, number: number): NumberedEvent | undefined
  /** Calls back at the next happening of a tenant, or when the ring closes; once. Gives what takes that back. */
  next(tenant: string, called: () => void): () => void
  /** Calls back with each happening of this process from now on, until the returned function is called. */
  hear(listener: (event: DatedEvent) => void): () => void
  readonly isClosed: boolean
  close(): void
}

export interface RingOptions {
  readonly clock: () => number
  /** Tells this run of the gateway from others; it has no hyphen. That of the clock by default. */
  readonly run?: string
  /** Most that is kept of a tenant. */
  readonly most?: number
}

interface OfTenant {
  readonly events: NumberedEvent[]
  readonly waiting: Set<() => void>
  newest: number
}

export function eventRing({ clock, run = clock().toString(36), most = 1000 }: RingOptions): EventRing {
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
  const listeners = new Set<(event: DatedEvent) => void>()
  let isClosed = false
  const add = (event: DatedEvent): void => {
    const own = of(event.tenant)
    own.newest += 1
    own.events[own.newest % most] = { ...event, number: own.newest }
    wake(own)
  }
  return {
    add,
    tell(happening) {
      const event = { ...happening, atMs: clock(), id: `${run}-${of(happening.tenant).newest + 1}` }
      add(event)
      for (const listener of listeners) listener(event)
    },
    numberOf(tenant, id) {
      const { events, newest } = of(tenant)
      const known = events.find((event) => event?.id === id)
      if (known !== undefined) return known.number
      // One of this run that is no longer there.
      const number = id.startsWith(`${run}-`) ? id.slice(run.length + 1) : ''
      return /^\d{1,15}$/.test(number) ? Math.min(Number(number), newest) : undefined
    },
    hear(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    forget: (tenant) => void of(tenant).events.splice(0),
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
