import type { OnTrouble, StoreTrouble } from './store.ts'

/** Those who want to be told of troubles. */
export interface Troubles {
  readonly onTrouble: OnTrouble
  tell(trouble: StoreTrouble): void
}

export function troubles(): Troubles {
  const listeners = new Set<(trouble: StoreTrouble) => void>()
  return {
    onTrouble(told) {
      listeners.add(told)
      return () => void listeners.delete(told)
    },
    tell(trouble) {
      for (const told of listeners) told(trouble)
    },
  }
}
