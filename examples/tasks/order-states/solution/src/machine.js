import { rules } from './rules.js'

const ends = new Set(['refunded', 'cancelled'])

/** The order after an event; throws with a code where it is refused. */
export function advance(order, event, roles = []) {
  const { state, channel, history } = order
  const refuse = (code) => {
    throw Object.assign(new Error(`${code}: ${event} in ${state} (${channel})`), { code })
  }
  if (ends.has(state)) refuse('ended')
  const ofEvent = rules.filter((rule) => rule.event === event)
  if (ofEvent.length === 0) refuse('unknown-event')
  const wasPaid = history.some((entry) => entry.event === 'pay')
  const from = state === 'approved' && event === 'pick' && wasPaid ? 'paid' : state
  const ofState = ofEvent.filter((rule) => rule.from === from)
  if (ofState.length === 0) refuse('wrong-state')
  const rule = ofState.find((each) => each.channel === channel)
  if (rule === undefined) refuse('wrong-channel')
  if (event === 'pay' && wasPaid) refuse('already-paid')
  if (rule.role !== undefined && !roles.includes(rule.role)) refuse('missing-role')
  return { ...order, state: rule.to, history: [...history, { event, from: state, to: rule.to }] }
}
