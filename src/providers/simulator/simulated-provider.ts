import type { JsonObject } from '../../core/index.ts'
import type { ModelCatalogue } from '../../tokens/index.ts'
import { requestOverhead, shippedCatalogue, tokenizerFor } from '../../tokens/index.ts'
import type { SimulationClock } from './clock.ts'
import { realClock } from './clock.ts'
import type { CountTokens } from './dialect.ts'
import type { FetchForm, Serve } from './fetch-form.ts'
import { fetchForm } from './fetch-form.ts'
import type { StoredContent } from './gemini/cached-contents.ts'
import { credentialOf, handler } from './handle.ts'
import type { SimulatedServer } from './listen.ts'
import { listenOn } from './listen.ts'
import type { SimulatedModel } from './model.ts'
import { anyModel, simulatedModel } from './model.ts'
import type { SimulatedRequest } from './record.ts'
import { recorder } from './recorder.ts'
import type { Script } from './script.ts'
import { simulation } from './simulation.ts'
import type { ProviderHeaders } from './wire.ts'

/** Options of `simulatedProvider`. */
export interface SimulatedProviderOptions {
  /** Default: the machine's clock. */
  readonly clock?: SimulationClock
  /** Default: every request is echoed. */
  readonly script?: Script
  /** From the request to the first byte of its answer. */
  readonly firstByteMs?: number
  /** Pace of answers; absent, they come as fast as they are read. */
  readonly tokensPerSecond?: number
  /** Keys that are let in; absent, any key is. */
  readonly apiKeys?: readonly string[]
  /** Ids that `/v1/models` lists; others of the known families work as well. */
  readonly models?: readonly string[]
  /**
   * Whether it refuses the models and parameters that a provider refuses, as it does by default. Otherwise it takes any,
   * and says in errors and in its list of models what it is.
   */
  readonly strict?: boolean
  /** Who a request belongs to; caches are not shared between tenants. Default: its API key. */
  readonly tenantOf?: (headers: ProviderHeaders) => string
  /** Share of requests that miss the cache for no reason, as real ones do; the same ones for the same seed. */
  readonly missRate?: number
  readonly seed?: number
  /** Newest requests kept in `requests`, 1,000 by default; fewer where their bodies are large. */
  readonly keepRequests?: number
  readonly count?: CountTokens
  /** Facts about models, windows, minimums and cache rules among them. */
  readonly catalogue?: ModelCatalogue
  /** What an image or a document costs; 1,000 tokens by default. */
  readonly mediaTokens?: (model: SimulatedModel, block: JsonObject) => number
}

/** A provider that behaves like Anthropic, OpenAI, DeepSeek, Google and OpenRouter, down to the bill, without a model behind it. */
export interface SimulatedProvider {
  /** Serves in process; hand it to an SDK as its `fetch`. Any host will do. */
  readonly fetch: FetchForm
  /** Serves on a port; a free one by default. `host` is `127.0.0.1` by default. */
  listen(port?: number, host?: string): Promise<SimulatedServer>
  /** Every request, newest last. */
  readonly requests: readonly SimulatedRequest[]
  /** What callers have cached by name, gone or not. */
  readonly cachedContents: readonly StoredContent[]
  readonly clock: SimulationClock
}

const listedModels = [
  'claude-opus-5-5',
  'claude-sonnet-5-5',
  'claude-haiku-4-5',
  'claude-sonnet-4-5',
  'gpt-6.1-sol',
  'gpt-5.6-sol',
  'gpt-5.1',
  'gpt-4o',
  'gpt-4o-mini',
  'deepseek-v4-pro',
  'deepseek-flash',
  'gemini-3.5-flash',
  'gemini-2.5-pro',
]

export function simulatedProvider(options: SimulatedProviderOptions = {}): SimulatedProvider {
  const { clock = realClock(), catalogue = shippedCatalogue, strict = true } = options
  const { requests, begin } = recorder(clock, options.keepRequests ?? 1000)
  const { firstByteMs = 0, tokensPerSecond, missRate, seed, tenantOf = credentialOf } = options
  const simulated = simulation({ clock, firstByteMs, tokensPerSecond, tenantOf, missRate, seed, strict })
  const handle = handler({
    simulation: simulated,
    script: options.script ?? [],
    apiKeys: options.apiKeys,
    models: options.models ?? listedModels,
    count: options.count ?? ((model, text) => tokenizerFor(model, catalogue).count(text)),
    modelOf: (id, dialect) => {
      const served = (name: string): SimulatedModel | undefined => simulatedModel(name, catalogue)
      if (dialect.modelOf) return dialect.modelOf(id, { catalogue, served, strict })
      return strict ? served(id) : anyModel(id, catalogue, dialect.providers)
    },
    overheadOf: (shape, model) => requestOverhead(shape, model.info),
    mediaTokens: options.mediaTokens ?? (() => 1000),
  })
  const serve: Serve = async (request, signal) => {
    const record = begin(request)
    try {
      return await handle(request, record, signal)
    } catch (error) {
      simulated.finish(record, signal.aborted ? 'aborted' : 'failed')
      throw error
    }
  }
  return {
    clock,
    requests,
    cachedContents: simulated.contents.all,
    fetch: fetchForm(serve),
    listen: (port = 0, host = '127.0.0.1') => listenOn(serve, port, host),
  }
}
