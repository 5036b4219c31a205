import type { Item } from '../../core/index.ts'
import { fenced } from './fence.ts'
import { headersMarkup, labelled, sectionWords } from './headers-markup.ts'
import type { Block, Markup } from './markup.ts'

const headers: Readonly<Record<Block, string>> = {
  policy: 'SYSTEM_POLICY',
  developer: 'DEVELOPER_POLICY',
  durable: 'DURABLE_MEMORY',
  role: 'ROLE',
  goal: 'GOAL',
  step: 'TASK_STATE',
  constraints: 'CONSTRAINTS',
  critical: 'CRITICAL_CONSTRAINTS',
  tools: 'TOOL_AFFORDANCES',
  evidence: 'EVIDENCE',
  memory: 'MEMORY',
  conversation: 'HISTORY',
  links: 'LINKS',
  acceptance: 'ACCEPTANCE',
  request: 'USER_REQUEST',
}

/** One text in the logical order of the sections, conversation included. */
export const canonicalMarkup: Markup = {
  ...headersMarkup,
  name: 'canonical',
  begin: '',
  open: (block) => `${headers[block]}:\n`,
  openSection: (section) => `CONTEXT_${sectionWords(section).replaceAll(' ', '_')}:\n`,
  verbatim: fenced,
  fragment: (item, text) => (item.section === 'history' ? turn(item, text) : headersMarkup.fragment(item, text)),
}

/** A message as a line of its own, named by who speaks. */
function turn(item: Item, text: string): string {
  const speaker = item.role ?? (item.kind === 'tool-call' ? 'assistant' : 'user')
  const name = item.kind === 'tool-call' ? `${speaker} calls` : item.kind === 'tool-result' ? 'tool result' : speaker
  return labelled(`${name}:`, text === '' ? `[${item.kind}]` : text)
}
