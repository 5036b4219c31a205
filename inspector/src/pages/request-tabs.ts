import type { FunctionComponent } from 'preact'
import { Budget } from './request-budget.tsx'
import { Decisions } from './request-decisions.tsx'
import type { TabProps } from './tab-props.ts'

interface Tab {
  readonly name: string
  readonly title: string
  readonly View: FunctionComponent<TabProps>
}

export const requestTabs: readonly Tab[] = [
  { name: 'decisions', title: 'Decisions', View: Decisions },
  { name: 'budget', title: 'Budget and time', View: Budget },
]
