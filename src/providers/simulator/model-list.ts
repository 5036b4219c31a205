import type { JsonObject } from '../../core/index.ts'
import type { SimulatedModel } from './model.ts'
import { simulatedName } from './model.ts'

/** How a provider lists its models. */
export interface ModelListing {
  /** Those that it lists, where they go by names of its own. */
  readonly ids?: readonly string[]
  list(entries: readonly JsonObject[]): JsonObject
  /** A model as its provider lists it, or, where nobody is to take it for that, with who it really is. */
  entry(model: SimulatedModel, createdMs: number, asProvider: boolean): JsonObject
}

export const openaiListing: ModelListing = {
  list: (data) => ({ object: 'list', data }),
  entry: ({ id, provider }, createdMs, asProvider) => ({
    id,
    object: 'model',
    created: Math.floor(createdMs / 1000),
    owned_by: asProvider ? provider : simulatedName,
  }),
}

export const anthropicListing: ModelListing = {
  list: (data) => ({
    data,
    has_more: false,
    first_id: data[0]?.['id'] ?? null,
    last_id: data.at(-1)?.['id'] ?? null,
  }),
  entry: ({ id, info }, createdMs, asProvider) => ({
    type: 'model',
    id,
    display_name: asProvider ? id : `${id} (${simulatedName})`,
    created_at: new Date(createdMs).toISOString(),
    max_input_tokens: info.windowTokens,
    max_tokens: info.maxOutputTokens,
    capabilities: null,
    lifecycle: 'active',
    line: lines.find((line) => id.includes(line)) ?? null,
    deprecated_at: null,
    retires_at: null,
  }),
}

const lines = ['haiku', 'sonnet', 'opus', 'fable', 'mythos']
