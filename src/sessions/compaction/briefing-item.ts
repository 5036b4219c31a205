import type { Briefing, Item } from '../../core/index.ts'

/** Names it among the items of every conversation. */
const briefingId = 'briefing'
const opening = 'This session goes on where another one has ended. What it knows of that:'

/** How a briefing stands in a conversation: nothing in it can end it, whatever it quotes. */
export function briefingItem(briefing: Briefing, parent: string | undefined): Item {
  const from = parent === undefined ? '' : ` from="${parent.replaceAll(/[&<>"\n]/g, ' ')}"`
  const json = JSON.stringify(briefing, null, 1).replaceAll('<', String.raw`\u003c`)
  const text = `<briefing${from}>\n${opening}\n${json}\n</briefing>`
  return { id: briefingId, section: 'history', kind: 'text', role: 'user', text, pin: true }
}

export function isBriefing({ id, role, text }: Item): boolean {
  return id === briefingId && role === 'user' && text.startsWith('<briefing')
}

/** What the briefing of an item says, under whatever id it stands; undefined of any other item. Only items of ours are pinned. */
export function briefingIn({ pin, role, text }: Item): Briefing | undefined {
  const [tag = '', second, ...rest] = text.split('\n')
  if (pin !== true || role !== 'user' || !tag.startsWith('<briefing') || second !== opening) return undefined
  return JSON.parse(rest.slice(0, -1).join('\n')) as Briefing
}
