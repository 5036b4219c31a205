import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { Statistics, TokenUsage } from '../api/answers.ts'
import { useAgainWhenLive } from '../api/use-again-when-live.ts'
import { useAnswer } from '../api/use-answer.ts'
import { useSessionLabels } from '../api/use-session-labels.ts'
import { usePeriod } from '../api/use-period.ts'
import { money } from '../format.ts'
import { Chart } from '../parts/chart.tsx'
import { FirstSteps } from '../parts/first-steps.tsx'
import { PeriodChoice } from '../parts/period-choice.tsx'
import { SimulatedChip } from '../parts/simulated-chip.tsx'
import { Answered } from '../parts/states.tsx'
import { othersIn } from '../parts/other-tenants.ts'
import { Title } from '../parts/title.tsx'
import { Groups } from './overview-groups.tsx'
import { Totals } from './overview-totals.tsx'
import { Usage } from './overview-usage.tsx'

export function Overview(): JSX.Element {
  const { by, since } = usePeriod()
  const labels = useSessionLabels()
  const overTime = useAnswer<Statistics>('/v1/stats', { by, since })
  const byModel = useAnswer<Statistics>('/v1/stats', { by: 'model', since })
  const byPolicy = useAnswer<Statistics>('/v1/stats', { by: 'policy', since })
  const byTenant = useAnswer<Statistics>('/v1/stats', { by: 'tenant', since })
  const usage = useAnswer<TokenUsage>('/v1/usage', { since, top: 60 })
  const { isOpen } = useAgainWhenLive([usage.again, overTime.again, byModel.again, byPolicy.again, byTenant.again])
  return (
    <div class="page">
      <header>
        <Title text="Overview" />
        <span class={`chip ${isOpen ? 'good' : 'warn'}`} role="status">
          {isOpen ? 'live' : 'not connected'}
        </span>
        <SimulatedChip sessions={[...labels.values()]} />
        <div class="end">
          <PeriodChoice />
        </div>
      </header>
      <Answered answer={overTime}>
        {(statistics) =>
          statistics.totals.requests === 0 ? (
            <FirstSteps />
          ) : (
            <>
              <Totals statistics={statistics} />
              <OverTime statistics={statistics} />
            </>
          )
        }
      </Answered>
      <Usage answer={usage} />
      {byTenant.data && othersIn(byTenant.data).tenants > 0 && (
        <Groups
          title="By tenant"
          about={`All else on this page is of tenant ${byTenant.data.tenant}.`}
          head="Tenant"
          answer={byTenant}
          nameOf={({ tenant }) => tenant}
        />
      )}
      <Groups title="By model" head="Model" answer={byModel} nameOf={({ model }) => model} />
      <Groups title="By policy" head="Policy" answer={byPolicy} nameOf={({ policy }) => policy} />
    </div>
  )
}

function OverTime({ statistics }: { readonly statistics: Statistics }): JSX.Element | null {
  const { data, totals } = statistics
  const at = useMemo(() => data.map(({ startMs }) => startMs ?? 0), [data])
  const series = useMemo(
    () => [
      { name: 'spent', tone: '--accent', values: data.map(({ figures }) => figures.usd) },
      ...(data.some(({ figures }) => figures.observedUsd > 0)
        ? [
            {
              name: 'mode on, estimated',
              tone: '--section-query',
              values: data.map(({ figures }) => figures.usd - figures.observedUsd + figures.ifOnUsd),
            },
          ]
        : []),
      {
        name: 'the client’s own requests',
        tone: '--quiet',
        values: data.map(({ figures }) => figures.clientUsd),
        isDashed: true,
      },
    ],
    [data],
  )
  if (totals.priced === 0 || data.length < 2) return null
  return (
    <section class="panel">
      <header>
        <h2>Money over time</h2>
      </header>
      <div class="inside">
        <Chart
          label={`Money over ${data.length} spans of time: ${money(totals.usd)} spent, ${money(totals.clientUsd)} for the client’s own requests.`}
          at={at}
          isTime
          series={series}
          write={money}
        />
      </div>
    </section>
  )
}
