import { namesVendors } from '../../providers/index.ts'

/** What a client's name for a model means. */
export interface NamedModel {
  /** As the provider knows it. */
  readonly model: string
  /** The upstream that the name itself names. */
  readonly upstream?: string
}

export interface ModelNamesOptions {
  readonly aliases: Readonly<Record<string, string>>
  /** Names of the upstreams. */
  readonly upstreams: readonly string[]
  /** Whether some upstream says of itself that it takes a model of this whole name. */
  readonly takes: (model: string) => boolean
}

/**
 * Reads names of models: an alias first, then `UPSTREAM/MODEL`, unless an upstream takes models by that whole name. Models of
 * OpenRouter's have the vendor's name in theirs: `openrouter/auto` is one of its own.
 */
export function modelNames({ aliases, upstreams, takes }: ModelNamesOptions): (asked: string) => NamedModel {
  const known = new Set(upstreams)
  return (asked) => {
    // So Google lists its models.
    const listed = takes(asked) ? asked : asked.replace(/^models\/(?=gemini|gemma|learnlm)/, '')
    const model = Object.hasOwn(aliases, asked) ? (aliases[asked] ?? asked) : listed
    const slash = model.indexOf('/')
    if (slash <= 0) return { model }
    const [upstream, rest] = [model.slice(0, slash), model.slice(slash + 1)]
    const isName = known.has(upstream) && rest !== '' && (!namesVendors(upstream) || rest.includes('/'))
    return isName && !takes(model) ? { model: rest, upstream } : { model }
  }
}
