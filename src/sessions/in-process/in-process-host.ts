import type { DialectTable } from '../../codecs/index.ts'
import { invalidInput } from '../../core/index.ts'
import type { WireExchange } from '../../core/index.ts'
import { memoryStore } from '../../stores/index.ts'
import { shippedCatalogue } from '../../tokens/index.ts'
import { catalogueTools } from '../tools/catalogue-tools.ts'
import { compilers } from '../compilers.ts'
import { compileExtras } from '../extensions/compile-additions.ts'
import { dialectsOf } from '../extensions/added-dialects.ts'
import { givenOf, noExtensions, openExtensions } from '../extensions/open-extensions.ts'
import type { OpenedExtensions } from '../extensions/open-extensions.ts'
import { tablesOf } from '../extensions/own-tables.ts'
import { configuredExtension } from '../extensions/read-extension.ts'
import type { ConfiguredExtension } from '../extensions/read-extension.ts'
import type { Source } from '../collect/source.ts'
import { handleKeys } from '../handle-keys.ts'
import { mediaShop } from '../media/media-shop.ts'
import { givenMeanings } from '../meanings/given-meanings.ts'
import type { Sessions } from '../open-sessions.ts'
import { openSessions } from '../open-sessions.ts'
import { prefixLifetimes } from '../prefix-lifetimes.ts'
import { replyGuard } from '../reply-guard.ts'
import type { ReplyGuard } from '../reply-guard.ts'
import type { SessionParts } from '../session-parts.ts'
import { stepOverrun } from '../steps/step-meter.ts'
import { rehydrateTool } from '../tools/rehydrate-tool.ts'
import type { SessionOptions } from './session-options.ts'

/** What a session in process runs on, opened with its first request. */
export interface InProcessHost {
  open(): Promise<Host>
  /** Tells the caller and the extensions what has happened. */
  readonly tell: NonNullable<SessionOptions['onEvent']>
  /** Closes the extensions. */
  close(): Promise<void>
}

/** Opens nothing yet. Throws `invalid-input` where an extension is none. */
export function inProcessHost(options: SessionOptions, tenant: string): InProcessHost {
  const { id: session, onEvent } = options
  const given = (options.extensions ?? []).map((one, index) => configuredExtension(one, `options.extensions[${index}]`))
  let extensions: OpenedExtensions = noExtensions
  let opened: Promise<Host> | undefined
  const tell: InProcessHost['tell'] = (event) => {
    onEvent?.(event)
    extensions.hear({ tenant, ...(session !== undefined && { session }), event })
  }
  return {
    tell,
    async open() {
      const host = await (opened ??= openHost({ ...options, onEvent: tell }, given))
      extensions = host.extensions
      return host
    },
    async close() {
      const host = await opened?.catch(() => undefined)
      host?.parts.meanings?.close()
      await host?.extensions.close()
    },
  }
}

export interface Host {
  readonly parts: SessionParts
  readonly sessions: Sessions
  readonly guard: ReplyGuard
  readonly extensions: OpenedExtensions
  /** Those of the extensions among them. */
  readonly dialects: DialectTable
  /** Those of the caller and of the extensions. */
  readonly sources: readonly Source[]
}

/** What one conversation may take; the caller has its own limits besides. */
const limits = {
  liveSessions: 16,
  liveBytes: 128 * 1024 * 1024,
  stageMs: 5000,
  hiddenRounds: 5,
  answerChars: 24_000,
  toolMs: 30_000,
}

async function openHost(options: SessionOptions, given: readonly ConfiguredExtension[]): Promise<Host> {
  const {
    store = memoryStore({ tables: tablesOf(given) }),
    catalogue = shippedCatalogue,
    clock = Date.now,
    onFailure = () => undefined,
  } = options
  const { blobs, embedder } = options
  const extensions = await openExtensions(given, { place: 'session', store, clock, blobs, embedder })
  const extras = compileExtras(
    extensions.all.map(({ added }) => added),
    options.detector,
  )
  const parts: SessionParts = {
    store,
    clock,
    limits,
    stopwatch: () => performance.now(),
    ...(embedder && {
      meanings: givenMeanings(embedder, {
        kept: { store, clock },
        stopwatch: () => performance.now(),
        keeps: () => options.record === 'content',
        watch: {
          counted: () => undefined,
          failed: (_, error) => onFailure('embeddings', error, ''),
          back: () => undefined,
        },
      }),
    }),
    media: mediaShop({ images: options.images, store, limitMs: limits.stageMs }),
    handleKey: await handleKeys(store),
    tools: [rehydrateTool, ...catalogueTools, ...(options.hiddenTools ?? []), ...givenOf(extensions, 'tools').flat()],
    recordsContent: options.record === 'content',
    lifetimes: prefixLifetimes(),
    ...(options.summaries && {
      summaries: (_: string, { conversation }: WireExchange) => options.summaries?.(conversation.items) ?? [],
    }),
    compile: compilers(catalogue, extras),
    modelInfo: (model) => catalogue.info(model),
    fittingTokens: (_, windowTokens) => windowTokens,
    watch: {
      failed: onFailure,
      slow: () => undefined,
      missed: ({ step, missed }) => options.onEvent?.(stepOverrun(step, missed)),
      answered: () => undefined,
    },
  }
  return {
    parts,
    sessions: openSessions(parts),
    guard: replyGuard(extras.detector),
    extensions,
    dialects: dialectsOf(extensions),
    sources: sourcesOf(options, extensions),
  }
}

/** Throws `invalid-input` where two have one name: by it what a source gave is told from what another did. */
function sourcesOf({ sources = [] }: SessionOptions, extensions: OpenedExtensions): readonly Source[] {
  const all = [...sources, ...givenOf(extensions, 'sources').flat()]
  const names = all.map(({ id }) => id)
  const twice = names.find((id, at) => names.indexOf(id) !== at)
  if (twice === undefined) return all
  throw invalidInput('options.sources', `have ${JSON.stringify(twice)} twice`, 'Give each an id of its own.')
}
