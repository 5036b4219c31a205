import { rules } from './rules.js'

/** The order after an event. */
export function advance(order, event, roles = []) {
  const rule = rules.find((each) => each.event === event && each.from === order.state)
  if (rule === undefined) throw new Error(`${event} is not allowed`)
  order.state = rule.to
  order.history.push({ event, from: rule.from, to: rule.to })
  return order
}
