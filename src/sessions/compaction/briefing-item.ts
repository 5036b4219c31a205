import type { Briefing, Item } from '../../core/index.ts'

/** Names it among the items of every conversation. */
const briefingId = 'briefing'

/** How a briefing stands in a conversation: nothing in it can end it, whatever it quotes. */
export function briefingItem(briefing: Briefing, parent: string | undefined): Item {
  const from = parent === undefined ? '' : ` from="${parent.replaceAll(/[&<>"\n]/g, ' ')}"`
  const json = JSON.stringify(briefing, null, 1).replaceAll('<', String.raw`\u003c`)
  const text = `<briefing${from}>\nThis session goes on where another one has ended. What it knows of that:\n${json}\n</briefing>`
  return { id: briefingId, section: 'history', kind: 'text', role: 'user', text, pin: true }
}

export function isBriefing({ id, role, text }: Item): boolean {
  return id === briefingId && role === 'user' && text.startsWith('<briefing')
}
