import type { PolicyChanges } from '../../core/index.ts'
import { shape, summaryModes } from '../../core/index.ts'

/** Other products' name for the switch of what a conversation remembers of itself. */
export const conversationSwitch = 'conversation_enabled'

/** What those products begin with, of turns and of bullets. */
const remember = 5

/** Switched on, one summary stands for what was said before the newest turns, or bullets where they roll. */
const remembered: PolicyChanges = { summaries: { mode: 'oneshot', recentTurns: remember, bullets: remember } }
const forgotten: PolicyChanges = { summaries: { mode: 'off' } }

/** Settings of other products for the memory of a conversation: what each may be, and what it changes. */
export const conversationSettings = [
  [conversationSwitch, { shape: shape.flag, changes: (isOn: unknown) => (isOn === true ? remembered : forgotten) }],
  [
    'conversation_window',
    { shape: shape.countFrom(1), changes: (turns: unknown) => ({ summaries: { recentTurns: turns as number } }) },
  ],
  [
    'summary_max_bullets',
    { shape: shape.countFrom(1), changes: (bullets: unknown) => ({ summaries: { bullets: bullets as number } }) },
  ],
  [
    'summary_mode',
    {
      shape: shape.oneOf(summaryModes),
      changes: (mode: unknown) => ({ summaries: { mode: mode as (typeof summaryModes)[number] } }),
    },
  ],
] as const

/** Settings in the order in which they hold: what is switched on has its usual figures first, what is switched off stays off. */
export function switchFirst(given: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  const entries = Object.entries(given)
  const others = entries.filter(([name]) => name !== conversationSwitch)
  const own = entries.filter(([name]) => name === conversationSwitch)
  const isOn = own.some(([, said]) => said === true || said === 'true')
  return isOn ? [...own, ...others] : [...others, ...own]
}
