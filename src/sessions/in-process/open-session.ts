import { chosenPolicy, defaultPolicy, revisePolicy } from '../../compiler/index.ts'
import type { Exchange, Policy, Situation } from '../../core/index.ts'
import { callable, shape } from '../../core/index.ts'
import { randomText } from '../../host/index.ts'
import { memoryStore } from '../../stores/index.ts'
import { shippedCatalogue } from '../../tokens/index.ts'
import { compilers } from '../compilers.ts'
import { handleKeys } from '../handle-keys.ts'
import { mediaShop } from '../media/media-shop.ts'
import type { Sessions } from '../open-sessions.ts'
import { openSessions } from '../open-sessions.ts'
import type { SessionParts } from '../session-parts.ts'
import type { SessionTurn } from '../session-turn.ts'
import { prefixLifetimes } from '../prefix-lifetimes.ts'
import { rehydrateTool } from '../tools/rehydrate-tool.ts'
import { requestOptionsShape, sessionOptionsShape } from './session-options.ts'
import type { RequestOptions, SessionOptions } from './session-options.ts'
import { asItCame, packedRequest } from './packed-request.ts'
import type { PackedRequest } from './packed-request.ts'
import { refusedFor } from '../refused-for.ts'
import { replyGuard } from '../reply-guard.ts'
import { handingOver } from './handing-over.ts'
import type { HandingOver } from './handing-over.ts'
import { readRequest } from './read-request.ts'
import { send } from './send.ts'
import { stepOverrun } from '../steps/step-meter.ts'
import { traced } from './traced.ts'

/** A session in process: what the gateway does for one conversation, without HTTP. */
export interface InProcessSession extends HandingOver {
  /**
   * What to send in place of a request body, of any dialect: an object as the provider's SDK takes it, or a JSON text.
   * Rejects with `invalid-input`, and with `budget-exhausted` where the policy forbids to send less than everything,
   * and with `security` where its defense refuses the request.
   */
  pack<Request extends object | string>(request: Request, own?: RequestOptions): Promise<PackedRequest<Request>>
  /**
   * Packs, has the caller send it, answers calls of hidden tools by asking again, and gives the reply without them.
   *
   * ```ts
   * const reply = await session.send(request, (packed) => client.chat.completions.create(packed))
   * ```
   */
  send<Request extends object, Reply extends object>(
    request: Request,
    ask: (request: Request) => Promise<Reply>,
  ): Promise<Reply>
  /** Changes the policy from the next request on: its revision is one more, and `onEvent` is told. Throws `invalid-input`. */
  changePolicy(changes: Parameters<typeof revisePolicy>[1], trigger: string): Policy
}

const optionNames: ReadonlySet<string> = new Set(sessionOptionsShape.names)
const requestOptionNames: ReadonlySet<string> = new Set(requestOptionsShape.names)

const askShape = callable()

/** Opens a session in process; nothing is read or written before its first request. Throws `invalid-input`. */
export function openSession(options: SessionOptions = {}): InProcessSession {
  shape.check(sessionOptionsShape, options, 'options')
  shape.checkMembers(options, optionNames, 'options')
  const { policy: named = defaultPolicy, tenant = 'default', steadyInstructions: steady = true } = options
  let chosen = chosenPolicy(named)
  const tell = options.onEvent ?? (() => undefined)
  const guard = replyGuard(options.detector)
  const compaction = { ofTenant: options.compaction ?? {} }
  let opened: Promise<Host> | undefined
  let last: SessionTurn | undefined
  const pack: InProcessSession['pack'] = async (request, own = {}) => {
    shape.check(requestOptionsShape, own, 'options')
    shape.checkMembers(own, requestOptionNames, 'options')
    const { id = options.id, rehydrate = options.rehydrate ?? true, step } = own
    const policy = chosen
    const situation = situationOf(policy, tenant, { ...options.situation, ...own.situation })
    const { parts, sessions } = await (opened ??= openHost(options))
    const { codec, received } = readRequest(request, (text) => sessions.guess(tenant, text))
    const { unplanned } = received.wire
    if (unplanned !== undefined) {
      const refused = refusedFor({ policy, situation })
      if (refused) throw refused
      return asItCame(request, received.wire.body, unplanned)
    }
    const { scope, before: kept } = await sessions.belonging(tenant, received)
    const session = sessions.open(id === undefined ? scope : { ...scope, session: id })
    const asked = {
      codec,
      received,
      came: received,
      // Commands take it as an argument, which must not begin with `-`.
      requestId: `req_${randomText(16)}`,
      mode: 'on',
      policy,
      situation,
      kept,
    } as const
    const turn = await traced(options.tracing, (watch) =>
      session.pack({ ...asked, rehydrates: rehydrate, steady, watch, compaction, ...(step && { step }) }),
    )
    if (turn.kind === 'packed') {
      last = turn
      for (const event of turn.events) tell(event)
    }
    return packedRequest({ parts, session, turn, received, request, policy, situation, guard, tell })
  }
  return {
    pack,
    ...handingOver({ options, tenant, open: () => (opened ??= openHost(options)), last: () => last }),
    async send(request, ask) {
      shape.check(askShape, ask, 'ask')
      return send(await pack(request), ask)
    },
    changePolicy(changes, trigger) {
      const revised = revisePolicy(chosen, changes, trigger)
      chosen = revised.policy
      tell(revised.event)
      return chosen
    },
  }
}

/** Nothing is said of a situation to a policy that has nothing to say of it. */
function situationOf({ overrides }: Policy, tenant: string, said: Situation): Situation | undefined {
  return overrides === undefined && Object.keys(said).length === 0 ? undefined : { tenant, ...said }
}

interface Host {
  readonly parts: SessionParts
  readonly sessions: Sessions
}

/** What one conversation may take; the caller has its own limits besides. */
const limits = {
  liveSessions: 16,
  liveBytes: 128 * 1024 * 1024,
  stageMs: 5000,
  hiddenRounds: 5,
  answerChars: 24_000,
}

async function openHost(options: SessionOptions): Promise<Host> {
  const { store = memoryStore(), catalogue = shippedCatalogue, clock = Date.now, onFailure = () => undefined } = options
  const parts: SessionParts = {
    store,
    clock,
    limits,
    stopwatch: () => performance.now(),
    media: mediaShop({ images: options.images, store, limitMs: limits.stageMs }),
    handleKey: await handleKeys(store),
    tools: [rehydrateTool, ...(options.hiddenTools ?? [])],
    recordsContent: options.record === 'content',
    lifetimes: prefixLifetimes(),
    ...(options.summaries && {
      summaries: (_: string, { conversation }: Exchange) => options.summaries?.(conversation.items) ?? [],
    }),
    compile: compilers(catalogue, options),
    modelInfo: (model) => catalogue.info(model),
    fittingTokens: (_, windowTokens) => windowTokens,
    watch: {
      failed: onFailure,
      slow: () => undefined,
      missed: ({ step, missed }) => options.onEvent?.(stepOverrun(step, missed)),
      answered: () => undefined,
    },
  }
  return { parts, sessions: openSessions(parts) }
}
