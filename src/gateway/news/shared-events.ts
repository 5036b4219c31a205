import type { DatedEvent, EventRing } from '../telemetry/event-ring.ts'
import type { Post } from './post.ts'

/** Somebody may be watching. */
const delayMs = 20

/** A ring whose readers hear of all processes: events of a tenant are fetched as soon as somebody reads there. */
export function sharedEvents(ring: EventRing, post: Post): EventRing {
  const followed = new Map<string, () => void>()

  const follow = (tenant: string): void => {
    if (followed.has(tenant)) return
    followed.set(
      tenant,
      post.hear(channelOf(tenant), (news) => ring.add({ ...(news as DatedEvent), tenant })),
    )
  }

  ring.hear((event) => post.send(channelOf(event.tenant), event, delayMs))
  return {
    ...ring,
    newest(tenant) {
      follow(tenant)
      return ring.newest(tenant)
    },
    numberOf(tenant, id) {
      follow(tenant)
      return ring.numberOf(tenant, id)
    },
    get isClosed() {
      return ring.isClosed
    },
    close() {
      for (const leave of followed.values()) leave()
      ring.close()
    },
  }
}

function channelOf(tenant: string): string {
  return `events ${tenant}`
}
