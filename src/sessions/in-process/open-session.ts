import { chosenPolicy, defaultPolicy, revisePolicy } from '../../compiler/index.ts'
import type { Policy, Situation } from '../../core/index.ts'
import { callable, frozenCopy, isFixed, shape } from '../../core/index.ts'
import { randomText } from '../../host/index.ts'
import type { SessionTurn } from '../session-turn.ts'
import { requestOptionsShape, sessionOptionsShape } from './session-options.ts'
import type { RequestOptions, SessionOptions } from './session-options.ts'
import { asItCame, packedRequest } from './packed-request.ts'
import type { PackedRequest } from './packed-request.ts'
import { refusedFor } from '../refused-for.ts'
import { inProcessHost } from './in-process-host.ts'
import { handingOver } from './handing-over.ts'
import type { HandingOver } from './handing-over.ts'
import { judging } from './judging.ts'
import type { Judging } from './judging.ts'
import { packing } from './packing.ts'
import { readRequest } from './read-request.ts'
import { send } from './send.ts'
import { sessionArtifacts } from './session-artifacts.ts'

/** A session in process: what the gateway does for one conversation, without HTTP. */
export interface InProcessSession extends HandingOver, Judging {
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
  /** Closes the session's extensions. Nothing else has to be closed, and nothing may be packed afterwards. */
  close(): Promise<void>
  /** Changes the policy from the next request on: its revision is one more, and `onEvent` is told. Throws `invalid-input`. */
  changePolicy(changes: Parameters<typeof revisePolicy>[1], trigger: string): Policy
}

const sessionOptions = { of: sessionOptionsShape, names: new Set<string>(sessionOptionsShape.names) }
const requestOptions = { of: requestOptionsShape, names: new Set<string>(requestOptionsShape.names) }

const askShape = callable()

/**
 * Opens a session in process; nothing is read or written before its first request. Throws `invalid-input`.
 *
 * ```ts
 * import { openSession } from 'prehend'
 *
 * const session = openSession({ policy: 'balanced' })
 * const messages = [{ role: 'user', content: 'Why does the build fail?' }]
 * const { request } = await session.pack({ model: 'gpt-5', messages })
 * console.log(request.messages)
 * await session.close()
 * ```
 */
export function openSession(options: SessionOptions = {}): InProcessSession {
  requireOptions(sessionOptions, options)
  const { tenant = 'default' } = options
  const artifacts = sessionArtifacts(options)
  let chosen = fixed(artifacts.checked(chosenPolicy(options.policy ?? defaultPolicy)))
  const { open, tell, close } = inProcessHost(options, tenant)
  const packed = packing(options)
  let last: SessionTurn | undefined
  const pack: InProcessSession['pack'] = async (request, own = {}) => {
    requireOptions(requestOptions, own)
    const { id = options.id, rehydrate: rehydrates = options.rehydrate ?? true, step, signal } = own
    const policy = chosen
    const situation = situationOf(policy, tenant, { ...options.situation, ...own.situation })
    const opened = await open()
    const { parts, sessions, guard, dialects } = opened
    const { codec, received } = readRequest(request, { dialects, guess: (text) => sessions.guess(tenant, text) })
    const { unplanned, body } = received.wire
    if (unplanned !== undefined) {
      refuseUnpacked({ policy, situation })
      return asItCame(request, body, unplanned)
    }
    const { scope: begun, before: kept } = await sessions.belonging(tenant, received)
    const scope = { ...begun, ...(id !== undefined && { session: id }) }
    const session = sessions.open(scope)
    const asked = {
      codec,
      received,
      came: received,
      // Commands take it as an argument, which must not begin with `-`.
      requestId: `req_${randomText(16)}`,
      policy,
      situation,
      kept,
      rehydrates,
      ...(step && { step }),
    } as const
    const turn = await packed({ host: opened, session, scope, request: asked, signal })
    const made = { parts, session, turn, received, request, policy, situation, guard, signal, tell, artifacts }
    if (turn.kind !== 'packed') return packedRequest(made)
    turn.events.forEach(tell)
    const manifestUri = await artifacts.packed((last = turn), parts.store)
    return packedRequest({ ...made, manifestUri })
  }
  const own = { options, tenant, open, last: () => last }
  return {
    pack,
    ...handingOver(own),
    ...judging(own),
    async send(request, ask) {
      shape.check(askShape, ask, 'ask')
      return send(await pack(request), ask)
    },
    close,
    changePolicy(changes, trigger) {
      const revised = revisePolicy(chosen, changes, trigger)
      chosen = fixed(artifacts.checked(revised.policy))
      tell(revised.event)
      return chosen
    },
  }
}

/** Throws `invalid-input` that names the first option that is not known, or not what it must be. */
function requireOptions({ of, names }: typeof sessionOptions | typeof requestOptions, given: object): void {
  shape.check(of, given, 'options')
  shape.checkMembers(given, names, 'options')
}

/** Throws where a policy lets nothing go out as it came. */
function refuseUnpacked(asked: Parameters<typeof refusedFor>[0]): void {
  const refused = refusedFor(asked)
  if (refused) throw refused
}

/** What extensions are shown nobody may change. */
function fixed(policy: Policy): Policy {
  return isFixed(policy) ? policy : frozenCopy(policy)
}

/** Nothing is said of a situation to a policy that has nothing to say of it. */
function situationOf({ overrides }: Policy, tenant: string, said: Situation): Situation | undefined {
  return overrides === undefined && Object.keys(said).length === 0 ? undefined : { tenant, ...said }
}
