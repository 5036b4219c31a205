import { PrehendError, constraintViolations } from '../../../core/index.ts'
import type { Constraint, ConstraintViolation } from '../../../core/index.ts'
import { filtered, isSuccess } from '../../outlet/reply.ts'
import type { Reply } from '../../outlet/reply.ts'
import type { GatewayParts } from '../../parts.ts'
import { settingsFor } from '../../tenant-settings.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import type { Layer, Next } from '../../exchange/layer.ts'
import { leavingOut } from '../left-out.ts'
import { trial } from '../trial.ts'
import { constraintsBroken, contributes } from './contributions.ts'
import { corrected } from './corrected.ts'
import { ordersWatch } from './followed-orders.ts'
import type { OrdersWatch } from './followed-orders.ts'
import { heldReply } from './held-reply.ts'
import type { HeldReply } from './held-reply.ts'
import { wordsHeard } from './reply-words.ts'

/**
 * Holds replies against the constraints that have a check. One that breaks a hard one never goes out: the model is asked again, so
 * often as the configuration allows, and then the request ends in an error. What breaks a soft one is told, and passes. An answer that
 * lacks points of its checklist is asked for once more, with these. One that follows orders in data is treated as the defense of the policy says.
 */
export function constraintsLayer(parts: GatewayParts): Layer {
  const watch = ordersWatch(parts)
  return {
    ...contributes,
    failure: 'closed',
    // It looks at replies, which are read whatever their request was.
    takesUnread: true,
    appliesTo: ({ kind, settings }) =>
      kind === 'messages' &&
      (settings.constraints.some(isChecked) || settings.checklist.length > 0 || watch.actionOf(settings) !== 'off'),
    handle: async (exchange, next) => {
      const { constraints, checklist } = exchange.settings
      const isHeld =
        constraints.some((one) => isChecked(one) && isHard(one)) || watch.actionOf(exchange.settings) === 'reject'
      if (checklist.length > 0 || isHeld) return lawful({ parts, watch }, exchange, next)
      return overheard({ parts, watch }, exchange, await next(exchange))
    },
  }
}

function isChecked({ check }: Constraint): boolean {
  return check !== undefined
}

function isHard({ strength }: Constraint): boolean {
  return strength === 'hard'
}

/** Where only soft ones are checked, the reply goes out as it comes. */
function overheard({ parts, watch }: Watching, exchange: Exchange, reply: Reply): Reply {
  if (!isSuccess(reply)) return reply
  const { filter, words, said } = wordsHeard('open')
  exchange.whenEnded(() => {
    tell(parts, exchange, constraintViolations(words(), exchange.settings.constraints))
    watch.followed(exchange, said())
  })
  return filtered(reply, filter)
}

interface Watching {
  readonly parts: GatewayParts
  readonly watch: OrdersWatch
}

/** The first reply that breaks no hard constraint; throws where there is none. */
async function lawful(watching: Watching, exchange: Exchange, next: Next): Promise<Reply> {
  const { parts } = watching
  const { repairs = settingsFor(parts.config, exchange.tenant).repairs } = exchange.settings
  let asked = exchange
  let isCompleted = false
  const withheld: string[] = []
  for (let attempt = 1; ; attempt += 1) {
    const tried = await attempted(watching, asked, next)
    const mayComplete = !isCompleted && exchange.unread === undefined
    if (tried.broken.length === 0 && (tried.unmet.length === 0 || !mayComplete)) {
      if (attempt > 1) exchange.trace.show({ 'x-prehend-repairs': String(attempt - 1) })
      showChecklist(exchange, tried.unmet)
      exchange.trace.did(contributes, attempt > 1 ? 'changed' : 'passed')
      tried.counts()
      return tried.reply
    }
    const faults = [...tried.broken, ...(mayComplete ? tried.unmet : [])]
    isCompleted ||= tried.unmet.length > 0
    const error = refused(exchange, faults)
    const isLast = tried.broken.length > 0 && (attempt > repairs || exchange.unread !== undefined)
    exchange.trace.count(constraintsBroken, { action: isLast ? 'refuse' : 'repair' }, faults.length)
    withheld.push(...labelsOf(faults, exchange))
    exchange.trace.note(contributes, { repairs: attempt - (isLast ? 1 : 0), withheld: withheld.slice(0, 20) })
    if (isLast) {
      tried.endsIn(error)
      throw error
    }
    await tried.failed(error)
    exchange.trace.again()
    asked = corrected(asked, { broken: faults, id: `${exchange.id}~${attempt + 1}` })
  }
}

interface Attempted {
  readonly reply: Reply
  readonly broken: readonly ConstraintViolation[]
  /** Points of the checklist that it lacks. */
  readonly unmet: readonly ConstraintViolation[]
  /** Its end is that of the client's request. */
  counts(): void
  failed(why: PrehendError): Promise<void>
  /** The request ends in this, and its end is that of the try. */
  endsIn(why: PrehendError): void
}

/** One try, whose end is the request's unless it breaks something. */
async function attempted({ parts, watch }: Watching, asked: Exchange, next: Next): Promise<Attempted> {
  const own = trial(asked)
  try {
    const reply = await next(own.exchange)
    const held = isSuccess(reply) ? await hold(parts, asked, reply) : undefined
    const found = held ? constraintViolations(held.words, asked.settings.constraints) : []
    const orders = held ? watch.followed(asked, held.said) : []
    const broken = [...found, ...orders].filter(({ action }) => action === 'refuse')
    const unmet = held ? constraintViolations(held.words, asked.settings.checklist) : []
    tell(parts, asked, found)
    tellUnmet(parts, asked, unmet)
    const end = { status: reply.status, ...(held?.report.usage && { usage: held.report.usage }) }
    return {
      reply: held?.reply ?? reply,
      broken,
      unmet,
      counts: () => own.counts(),
      failed: (failure) => own.failed({ ...end, failure }),
      endsIn: (failure) => own.endsIn({ ...end, failure }),
    }
  } catch (error) {
    own.counts()
    throw error
  }
}

function hold(parts: GatewayParts, asked: Exchange, reply: Reply): Promise<HeldReply> {
  const { replyBytes } = settingsFor(parts.config, asked.tenant).limits
  return heldReply({ codec: asked.codec, replyBytes, skipped: leavingOut(parts, asked) }, reply)
}

/** A line of the log for each, with no word of the reply; those that only warn are counted here. */
function tell(
  { logger }: GatewayParts,
  { id: requestId, settings, trace }: Exchange,
  found: readonly ConstraintViolation[],
): void {
  for (const { constraint, action } of found) {
    if (action === 'warn') trace.count(constraintsBroken, { action })
    logger.warn('constraint', { requestId, action, constraint: labelOf(constraint, settings.constraints) })
  }
}

/** What it is about, or its place in the list. */
function labelOf(constraint: Constraint, all: readonly Constraint[]): string {
  const at = all.indexOf(constraint)
  return constraint.about ?? (at < 0 ? 'checklist' : String(at))
}

/** By the places of the points: their words may be the client's own. */
function tellUnmet(
  { logger }: GatewayParts,
  { id: requestId, settings }: Exchange,
  unmet: readonly ConstraintViolation[],
): void {
  if (unmet.length === 0) return
  const points = unmet.map(({ constraint }) => settings.checklist.indexOf(constraint)).join(', ')
  logger.warn('checklist', { requestId, points })
}

/** How many points are met, where there are any. */
function showChecklist({ settings, trace }: Exchange, unmet: readonly ConstraintViolation[]): void {
  const all = settings.checklist.length
  if (all === 0) return
  trace.show({ 'x-prehend-checklist': `${all - unmet.length}/${all}` })
  trace.note(contributes, { points: all, met: all - unmet.length })
}

function labelsOf(broken: readonly ConstraintViolation[], { settings }: Exchange): readonly string[] {
  return broken.map(({ constraint }) => labelOf(constraint, settings.constraints))
}

function refused(exchange: Exchange, broken: readonly ConstraintViolation[]): PrehendError {
  const constraints = labelsOf(broken, exchange)
  const remedy = 'Ask for something else, or change what holds here.'
  const message = `The model's answer was withheld: it breaks what has to hold here (${constraints.join(', ')}). ${remedy}`
  return new PrehendError('reply-refused', message, { constraints, remedy })
}
