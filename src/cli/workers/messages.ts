/** A process that serves, to the one that started it. */
export type WorkerNews =
  | { readonly kind: 'serving'; readonly said: string }
  | { readonly kind: 'hot'; readonly message: unknown }
  /** What it counts, as prom-client writes that as JSON. */
  | { readonly kind: 'counted'; readonly asked: number; readonly metrics: readonly object[] }
  | { readonly kind: 'tenant-gone'; readonly tenant: string }
  /** Asks what the others count, and says what it counts itself. */
  | { readonly kind: 'count-others'; readonly asked: number; readonly metrics: readonly object[] }

/** The process that started it, to one that serves. */
export type WorkerOrder =
  | { readonly kind: 'stop' }
  /** One of them records what is recorded once for all. */
  | { readonly kind: 'reload'; readonly isFirst: boolean }
  | { readonly kind: 'hot'; readonly message: unknown }
  | { readonly kind: 'count'; readonly asked: number }
  | { readonly kind: 'others-counted'; readonly asked: number; readonly metrics: readonly (readonly object[])[] }
