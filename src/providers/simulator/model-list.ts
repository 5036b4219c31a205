import type { SimulatedModel } from './model.ts'

/** The list of models, in the form that the two SDKs read alike. */
export function modelList(models: readonly SimulatedModel[], createdMs: number): string {
  const data = models.map((model) => modelEntry(model, createdMs))
  const ids = models.map(({ id }) => id)
  return JSON.stringify({
    object: 'list',
    data,
    has_more: false,
    first_id: ids[0] ?? null,
    last_id: ids.at(-1) ?? null,
  })
}

export function modelEntry({ id, provider }: SimulatedModel, createdMs: number) {
  return {
    id,
    object: 'model',
    created: Math.floor(createdMs / 1000),
    owned_by: provider,
    type: 'model',
    display_name: id,
    created_at: new Date(createdMs).toISOString(),
  }
}
