import type { FunctionComponent } from 'preact'
import { Before } from './request-before.tsx'
import { Budget } from './request-budget.tsx'
import { Bytes } from './request-bytes.tsx'
import { Compare } from './request-compare.tsx'
import { Conversation } from './request-conversation.tsx'
import { Decisions } from './request-decisions.tsx'
import type { TabProps } from './tab-props.ts'

interface Tab {
  readonly name: string
  readonly title: string
  readonly View: FunctionComponent<TabProps>
}

export const requestTabs: readonly Tab[] = [
  { name: 'conversation', title: 'What the model saw', View: Conversation },
  { name: 'decisions', title: 'Decisions', View: Decisions },
  { name: 'budget', title: 'Budget and time', View: Budget },
  { name: 'before', title: 'Against the one before', View: Before },
  { name: 'compare', title: 'Under another policy', View: Compare },
  { name: 'bytes', title: 'Bytes', View: Bytes },
]
