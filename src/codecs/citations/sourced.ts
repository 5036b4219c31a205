import type { Citation, JsonObject } from '../../core/index.ts'
import { stringIn } from '../json-members.ts'

/** Words at a member; nothing where it is empty. */
export function wordsIn(object: JsonObject, name: string): string | undefined {
  return stringIn(object, name) || undefined
}

export function numberIn(object: JsonObject, name: string): number | undefined {
  const value = object[name]
  return typeof value === 'number' ? value : undefined
}

type Told = { readonly [Name in Exclude<keyof Citation, 'source'>]?: Citation[Name] | undefined }

/** A citation with what is told of it; none where nobody says what is cited. */
export function sourced(source: string | undefined, told: Told): readonly Citation[] {
  if (source === undefined) return []
  const known = Object.entries(told).filter(([, value]) => value !== undefined)
  return [{ source, ...(Object.fromEntries(known) as Omit<Citation, 'source'>) }]
}
