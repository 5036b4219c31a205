import { rules } from './rules.js'

/** The history of an order, as the shop's audit log has it. */
export function auditLog({ id, channel, history }) {
  return history.map(({ event, from, to }, at) => {
    const rule = rules.find((each) => each.event === event && each.channel === channel && each.from === from)
    return `${String(at + 1).padStart(3)}  order ${id}  ${from.padEnd(10)} -> ${to.padEnd(10)} ${rule?.log ?? 'no rule'}`
  })
}
