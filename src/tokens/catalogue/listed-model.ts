import { listedRows } from './listed-models.ts'
import type { ListedModel } from './model-info.ts'

const listed = new Map(listedRows.flatMap(([names, model]) => names.split(' ').map((name) => [name, model] as const)))

/** Under this very name; a new model must not get the prices of its predecessor. */
export function listedModel(name: string): ListedModel | undefined {
  return listed.get(name)
}
