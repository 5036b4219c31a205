import { PassingMap } from '../../host/index.ts'
import type { MeaningWatch, TenantEmbedder } from './meanings.ts'
import type { VectorStore } from './kept-vectors.ts'

/** What vectors are made with. */
export interface MeaningHost {
  readonly watch: MeaningWatch
  /** Where vectors of tools outlive the process. */
  readonly kept: VectorStore
  /** Milliseconds since some moment; never goes back. */
  readonly stopwatch: () => number
  /** How long one call of an embedder may take. */
  readonly timeoutMs: number
}

/** What is held of a tenant, of one model alone. */
export interface VectorShelf {
  readonly tenant: string
  readonly by: TenantEmbedder
  /** Vectors of tools by their keys. */
  readonly vectors: PassingMap<string, Float32Array>
  /** Vectors of the last queries by their texts, under way or made. */
  readonly queries: PassingMap<string, Promise<Float32Array>>
  /** Texts that wait for a vector, by their keys. */
  readonly waiting: Map<string, string>
  /** Until nothing waits; undefined where nothing does. */
  filling: Promise<void> | undefined
  /** Until when nothing is asked, by the stopwatch. */
  pausedUntilMs: number
  /** Queries in a row that came too late. */
  lateInRow: number
  /** Whether the last thing that was asked has failed. */
  isTroubled: boolean
  /** Whether the model makes other vectors than those that are kept of it. */
  isChanged: boolean
  /** Whether the tenant was let go of: what is still under way is for nobody. */
  isGone: boolean
}

/** Shelves of the tenants in use. */
export interface VectorShelves {
  /** That of a tenant; an empty one where it had another model before. */
  of(tenant: string, by: TenantEmbedder): VectorShelf
  /** Lets go of the tenants that were not used longest, as long as too much is held. */
  bound(): void
  forget(tenant: string): void
  forgetAll(): void
}

/** Of all tenants but the one that was used last: 64 MiB. */
const mostNumbers = 16 * 1024 * 1024
const mostTenants = 1_000

export function vectorShelves(): VectorShelves {
  const shelves = new PassingMap<string, VectorShelf>()
  const drop = (tenant: string): void => {
    const shelf = shelves.get(tenant)
    if (shelf) shelf.isGone = true
    shelves.delete(tenant)
  }
  return {
    of(tenant, by) {
      const known = shelves.get(tenant)
      const isSame = known?.by.model === by.model
      if (known && !isSame) known.isGone = true
      const shelf = known && isSame ? known : emptyShelf(tenant, by)
      shelves.delete(tenant)
      shelves.set(tenant, shelf)
      return shelf
    },
    bound() {
      let numbers = Array.from(shelves.values(), numbersOn).reduce((sum, own) => sum + own, 0)
      for (const tenant of Array.from(shelves.keys()).slice(0, -1)) {
        if (numbers <= mostNumbers && shelves.size <= mostTenants) break
        const shelf = shelves.get(tenant)
        numbers -= shelf ? numbersOn(shelf) : 0
        drop(tenant)
      }
    },
    forget: drop,
    forgetAll: () => Array.from(shelves.keys()).forEach(drop),
  }
}

function emptyShelf(tenant: string, by: TenantEmbedder): VectorShelf {
  return {
    tenant,
    by,
    vectors: new PassingMap(),
    queries: new PassingMap(),
    waiting: new Map(),
    filling: undefined,
    pausedUntilMs: 0,
    lateInRow: 0,
    isTroubled: false,
    isChanged: false,
    isGone: false,
  }
}

/** All vectors of a model have one length. */
function numbersOn({ vectors }: VectorShelf): number {
  const [first] = vectors.values()
  return vectors.size * (first?.length ?? 0)
}

/** An embedder that has failed is not asked again sooner. */
const pauseMs = 30_000

export function isPaused({ stopwatch }: MeaningHost, shelf: VectorShelf): boolean {
  return stopwatch() < shelf.pausedUntilMs
}

export function hasFailed({ watch, stopwatch }: MeaningHost, shelf: VectorShelf, error: unknown): void {
  if (shelf.isGone) return
  shelf.pausedUntilMs = stopwatch() + pauseMs
  shelf.lateInRow = 0
  if (!shelf.isTroubled) watch.failed(shelf.tenant, error)
  shelf.isTroubled = true
}

export function hasWorked({ watch }: MeaningHost, shelf: VectorShelf): void {
  shelf.lateInRow = 0
  if (shelf.isTroubled) watch.back(shelf.tenant)
  shelf.isTroubled = false
}
