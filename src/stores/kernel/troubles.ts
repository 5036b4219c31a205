export const storeTroubles = ['busy', 'died', 'replaced', 'lost'] as const
/**
 * What befalls a store as a whole: another process holds its lock for longer than is waited for (`busy`), the thread that it
 * works on has died and is started again (`died`), its file was deleted or replaced, and is opened anew (`replaced`), or the connection
 * to its server was lost, and is made again for the next request (`lost`).
 */
export type StoreTrouble = (typeof storeTroubles)[number]
/** Calls the listener at each trouble, until the returned function is called. */
export type OnTrouble = (told: (trouble: StoreTrouble) => void) => () => void

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
