import type { JSX } from 'preact'
import type { ClientToolUsage } from '../api/answers.ts'
import { useAnswer } from '../api/use-answer.ts'
import { usePeriod } from '../api/use-period.ts'
import { PeriodChoice } from '../parts/period-choice.tsx'
import { Answered } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'
import { ClientTools } from './tools-of-clients.tsx'
import { Registry } from './tools-registry.tsx'

/** How clients use their own tools, and the tools of the gateway's registry. */
export function Tools(): JSX.Element {
  const { since } = usePeriod()
  const usage = useAnswer<ClientToolUsage>('/v1/tool-usage', { since, top: 500 })
  return (
    <div class="page">
      <header>
        <Title text="Tools" />
        <p class="quiet">What clients define and call, and what the registry offers.</p>
        <div class="end">
          <PeriodChoice />
        </div>
      </header>
      <Answered answer={usage}>{(told) => <ClientTools usage={told} />}</Answered>
      <Registry />
    </div>
  )
}
