import type { JsonObject } from '../../core/index.ts'
import type { SimulatedModel } from './model.ts'
import { simulatedName } from './simulation.ts'

/** The list of models, in the form that the two SDKs read alike. */
export function modelList(models: readonly SimulatedModel[], entry: (model: SimulatedModel) => JsonObject): string {
  const data = models.map(entry)
  const ids = models.map(({ id }) => id)
  return JSON.stringify({
    object: 'list',
    data,
    has_more: false,
    first_id: ids[0] ?? null,
    last_id: ids.at(-1) ?? null,
  })
}

/** A model as its provider lists it, or, where nobody is to take it for that, with who it really is. */
export function modelEntry({ id, provider }: SimulatedModel, createdMs: number, asProvider: boolean): JsonObject {
  return {
    id,
    object: 'model',
    created: Math.floor(createdMs / 1000),
    owned_by: asProvider ? provider : simulatedName,
    type: 'model',
    display_name: asProvider ? id : `${id} (${simulatedName})`,
    created_at: new Date(createdMs).toISOString(),
  }
}
