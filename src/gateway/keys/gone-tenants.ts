import type { Hot } from '../../stores/index.ts'

const channel = 'tenants deleted'

/** Tells every process that shares the hot state, this one included, that a tenant was deleted. */
export function tellGone(hot: Pick<Hot, 'publish'>, tenant: string): Promise<void> {
  return hot.publish(channel, tenant)
}

/** Calls back with each tenant that was deleted, until the returned function is called. */
export function hearGone(hot: Pick<Hot, 'subscribe'>, forget: (tenant: string) => void): () => void {
  return hot.subscribe(channel, forget)
}
