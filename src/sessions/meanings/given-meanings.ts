import type { TextEmbedder } from '../../knowledge/index.ts'
import type { Meanings } from './meanings.ts'
import { toolMeanings, usualMeaningLimits } from './tool-meanings.ts'
import type { MeaningsOptions } from './tool-meanings.ts'

export interface GivenMeaningsOptions extends Pick<MeaningsOptions, 'kept' | 'stopwatch' | 'watch'> {
  /** Whether what is made of a tenant's texts may be kept in the store. */
  readonly keeps: (tenant: string) => boolean
}

/** Vectors by an embedder of the host, which is the same for all tenants. One that names no model may be another one in the next process. */
export function givenMeanings(embedder: TextEmbedder, { keeps, ...options }: GivenMeaningsOptions): Meanings {
  const { model } = embedder
  return toolMeanings({
    ...options,
    ...usualMeaningLimits,
    embedderOf: (tenant) => ({ embedder, model: model ?? 'unnamed', keeps: model !== undefined && keeps(tenant) }),
  })
}
