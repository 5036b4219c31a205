import { keepNewest } from '../../../core/index.ts'
/** Gives what was made for a key, or has it made. */
export type KeptFew<Value> = (key: string, make: () => Promise<Value>) => Promise<Value>

/** Keeps the few that were asked for last, so that a page of one is not made anew for each; those that are not to be kept are made each time. */
export function keptFew<Value>(most: number, mayKeep: (value: Value) => boolean): KeptFew<Value> {
  const kept = new Map<string, Value>()
  return async (key, make) => {
    const value = kept.get(key) ?? (await make())
    kept.delete(key)
    if (mayKeep(value)) kept.set(key, value)
    keepNewest(kept, most)
    return value
  }
}
