import { calledAs, toolId } from '../../tools/index.ts'

/** Gives names to tools that have none. */
export interface NameDesk {
  /** Lists a source; whoever wants names meanwhile waits until every source that is being listed has said its own. */
  listing<Result>(list: () => Promise<Result>): Promise<Result>
  /** By the name that the server calls them. */
  names(server: string, names: readonly string[]): Promise<ReadonlyMap<string, string>>
}

interface Waiting {
  readonly server: string
  readonly names: readonly string[]
  done(names: ReadonlyMap<string, string>): void
}

/** Sources that are listed at the same time get their names together, so that it never matters which of them answers first. */
export function nameDesk(known: () => ReadonlyMap<string, string>): NameDesk {
  const assigned = new Map<string, string>()
  let underway = 0
  let waiting: readonly Waiting[] = []
  const settle = (): void => {
    if (waiting.length === 0 || waiting.length < underway) return
    const batch = waiting
    waiting = []
    const ids = batch.flatMap(({ server, names }) => names.map((name) => ({ server, name })))
    const found = calledAs(ids, new Map([...known(), ...assigned]))
    for (const { server, names, done } of batch) {
      const own = names.map((name) => [name, found.get(toolId({ server, name })) ?? name] as const)
      for (const [name, called] of own) assigned.set(toolId({ server, name }), called)
      done(new Map(own))
    }
  }
  return {
    async listing(list) {
      underway += 1
      try {
        return await list()
      } finally {
        underway -= 1
        settle()
      }
    },
    names: (server, names) =>
      new Promise((done) => {
        waiting = [...waiting, { server, names, done }]
        settle()
      }),
  }
}
