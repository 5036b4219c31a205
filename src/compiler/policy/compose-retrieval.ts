import type { Policy, RankPolicy, RetrievalPolicy, RetrievalStrategy } from '../../core/index.ts'
import type { Layer } from './layers.ts'

/** What overrides may change in a strategy, in groups of their own or as a whole. */
const figures = ['collections', 'relevance', 'followLinks'] as const
const groups = ['maxItems', 'weights'] as const

/**
 * The strategies of a policy in a situation: the one that the last override names, or else the policy, with what all of them change in it, in their
 * order. Nothing of the others is left.
 */
export function composeRetrieval(
  { retrieval }: Policy,
  layers: readonly Layer[],
  origins: Map<string, string>,
): RetrievalPolicy | undefined {
  if (retrieval === undefined) return undefined
  let { use } = retrieval
  let changes: RetrievalStrategy = {}
  const changed: (readonly [path: string, origin: string])[] = []
  for (const { origin, changes: own } of layers) {
    if (own.retrieval === undefined) continue
    if (own.retrieval.use !== undefined) {
      ;({ use } = own.retrieval)
      origins.set('retrieval.use', origin)
    }
    changes = withChanges(changes, own.retrieval)
    for (const path of pathsOf(own.retrieval)) changed.push([path, origin])
  }
  for (const [path, origin] of changed) origins.set(`retrieval.strategies.${use}.${path}`, origin)
  return { use, strategies: { [use]: withChanges(retrieval.strategies[use] ?? {}, changes) } }
}

/** Figures of groups change one by one. */
function withChanges(before: RetrievalStrategy, changes: RetrievalStrategy): RetrievalStrategy {
  let next = before
  for (const name of figures) if (changes[name] !== undefined) next = { ...next, [name]: changes[name] }
  for (const name of groups)
    if (changes[name] !== undefined) next = { ...next, [name]: { ...next[name], ...changes[name] } }
  return next
}

function pathsOf(changes: RetrievalStrategy): readonly string[] {
  return [
    ...figures.filter((name) => changes[name] !== undefined),
    ...groups.flatMap((name) => Object.keys(changes[name] ?? {}).map((member) => `${name}.${member}`)),
  ]
}

/** What is looked for is ranked by the weights of its strategy, whatever the policy says of its sections besides. */
export function rankWithin(rank: RankPolicy, { use, strategies }: RetrievalPolicy): RankPolicy {
  const weights = strategies[use]?.weights
  if (weights === undefined) return rank
  const { sections = {} } = rank
  return {
    ...rank,
    sections: {
      ...sections,
      evidence: { ...sections['evidence'], ...weights },
      memory: { ...sections['memory'], ...weights },
    },
  }
}
