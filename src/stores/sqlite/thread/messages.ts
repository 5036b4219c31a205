import type { MessagePort } from 'node:worker_threads'

/** What the thread itself tells: that its database is open or cannot be opened, that another process holds its lock, and that its file was replaced. */
export type ThreadNews =
  | { readonly kind: 'open'; readonly tightened: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'busy' }
  | { readonly kind: 'replaced' }

/** What the thread itself is told: to serve one more port, or to let go of everything. */
export type ThreadOrder = { readonly kind: 'serve'; readonly port: MessagePort } | { readonly kind: 'close' }
