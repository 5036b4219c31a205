import type { Layer } from '../../gateway/index.ts'
import type { ContractDialect } from './contract-dialect.ts'

/** The layer that `layerContract` tries, and the traffic to try it with. */
export interface LayerUnderTest {
  /** Anew for every case. */
  readonly open: () => Layer
  /** What users may say, the last being what the layer is about; it must not answer any of it by itself. */
  readonly says?: readonly [string, string]
  /** What a provider may answer to a request that it got, so that the layer has something to change. */
  readonly answers?: (body: string) => string
}

/** A layer, and what it is tried with. */
export type TriedLayer = Required<LayerUnderTest> & { readonly dialect: ContractDialect }
