import type { StoreCore } from '../rows/store-core.ts'

export type CoreMethod = keyof StoreCore

/** One call of the core, as it crosses to the store's thread. */
export interface CoreCall {
  readonly id: number
  readonly method: CoreMethod
  readonly given: readonly unknown[]
}

/** Its answer: JSON, which is read faster than a clone of what it says is made; or why there is none. */
export interface CoreAnswer {
  readonly id: number
  readonly json?: string | undefined
  readonly reason?: string
}
