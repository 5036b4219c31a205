import { PrehendError, constraintViolations } from '../../../core/index.ts'
import type { Constraint, ConstraintViolation } from '../../../core/index.ts'
import { filtered, isSuccess } from '../../outlet/reply.ts'
import type { Reply } from '../../outlet/reply.ts'
import type { GatewayParts } from '../../parts.ts'
import { settingsFor } from '../../tenant-settings.ts'
import type { Exchange } from '../exchange.ts'
import type { Layer, Next } from '../layer.ts'
import { leavingOut } from '../left-out.ts'
import { trial } from '../trial.ts'
import { corrected } from './corrected.ts'
import { heldReply } from './held-reply.ts'
import type { HeldReply } from './held-reply.ts'
import { wordsHeard } from './reply-words.ts'

/**
 * Holds replies against the constraints that have a check. One that breaks a hard one never goes out: the model is asked again, so
 * often as the configuration allows, and then the request ends in an error. What breaks a soft one is told, and passes.
 */
export function constraintsLayer(parts: GatewayParts): Layer {
  return {
    name: 'constraints',
    failure: 'closed',
    // It looks at replies, which are read whatever their request was.
    takesUnread: true,
    appliesTo: ({ kind, settings }) => kind === 'messages' && settings.constraints.some(isChecked),
    handle: async (exchange, next) => {
      const { constraints } = exchange.settings
      if (constraints.some((one) => isChecked(one) && isHard(one))) return lawful(parts, exchange, next)
      return overheard(parts, exchange, await next(exchange))
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
function overheard(parts: GatewayParts, exchange: Exchange, reply: Reply): Reply {
  if (!isSuccess(reply)) return reply
  const { filter, words } = wordsHeard('open')
  exchange.whenEnded(() => tell(parts, exchange, constraintViolations(words(), exchange.settings.constraints)))
  return filtered(reply, filter)
}

/** The first reply that breaks no hard constraint; throws where there is none. */
async function lawful(parts: GatewayParts, exchange: Exchange, next: Next): Promise<Reply> {
  const { repairs = settingsFor(parts.config, exchange.tenant).repairs } = exchange.settings
  let asked = exchange
  for (let attempt = 1; ; attempt += 1) {
    const tried = await attempted(parts, asked, next)
    if (tried.broken.length === 0) {
      if (attempt > 1) exchange.trace.show({ 'x-prehend-repairs': String(attempt - 1) })
      return tried.reply
    }
    const error = refused(exchange, tried.broken)
    const isLast = attempt > repairs || exchange.unread !== undefined
    parts.metrics.constraints.inc({ action: isLast ? 'refuse' : 'repair' }, tried.broken.length)
    await tried.failed(error)
    if (isLast) throw error
    exchange.trace.again()
    asked = corrected(asked, { broken: tried.broken, id: `${exchange.id}~${attempt + 1}` })
  }
}

interface Attempted {
  readonly reply: Reply
  readonly broken: readonly ConstraintViolation[]
  failed(why: PrehendError): Promise<void>
}

/** One try, whose end is the request's unless it breaks something. */
async function attempted(parts: GatewayParts, asked: Exchange, next: Next): Promise<Attempted> {
  const own = trial(asked)
  try {
    const reply = await next(own.exchange)
    const held = isSuccess(reply) ? await hold(parts, asked, reply) : undefined
    const found = held ? constraintViolations(held.words, asked.settings.constraints) : []
    const broken = found.filter(({ action }) => action === 'refuse')
    tell(parts, asked, found)
    if (broken.length === 0) own.counts()
    const end = { status: reply.status, ...(held?.report.usage && { usage: held.report.usage }) }
    return { reply: held?.reply ?? reply, broken, failed: (failure) => own.failed({ ...end, failure }) }
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
  { logger, metrics }: GatewayParts,
  { id: requestId, settings }: Exchange,
  found: readonly ConstraintViolation[],
): void {
  for (const { constraint, action } of found) {
    if (action === 'warn') metrics.constraints.inc({ action })
    logger.warn('constraint', { requestId, action, constraint: labelOf(constraint, settings.constraints) })
  }
}

/** What it is about, or its place in the list. */
function labelOf(constraint: Constraint, all: readonly Constraint[]): string {
  return constraint.about ?? String(all.indexOf(constraint))
}

function refused({ settings }: Exchange, broken: readonly ConstraintViolation[]): PrehendError {
  const constraints = broken.map(({ constraint }) => labelOf(constraint, settings.constraints))
  const remedy = 'Ask for something else, or change what holds here.'
  const message = `The model's answer was withheld: it breaks what has to hold here (${constraints.join(', ')}). ${remedy}`
  return new PrehendError('reply-refused', message, { constraints, remedy })
}
