import { useRoute } from 'preact-iso'
import type { JSX } from 'preact'
import { addressOf, home, useAddress } from '../address.ts'
import type { PackSummary } from '../api/answers.ts'
import { useAnswer } from '../api/use-answer.ts'
import { count, dateAndTime, milliseconds, money, percent, tokens } from '../format.ts'
import { Figure, Figures } from '../parts/figure.tsx'
import { Refusal } from '../parts/refusal.tsx'
import { SavedFigures } from '../parts/saved.tsx'
import { SimulatedChip } from '../parts/simulated-chip.tsx'
import { Ids } from '../parts/ids.tsx'
import { NamedSession } from '../parts/named-session.tsx'
import { Answered } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'
import { sentAsWords, sentName } from '../sent-words.ts'
import { dollarsOf } from '../savings.ts'
import { endWords, epochWords } from '../words.ts'
import { Actions } from './request-actions.tsx'
import { requestTabs } from './request-tabs.ts'
import { Verdict } from './request-verdict.tsx'
import { LeftOut } from './request-left-out.tsx'
import { LeftTools, WastedTools, WhyWhole } from './request-why.tsx'

export function Request(): JSX.Element {
  const { params } = useRoute()
  const id = params['id'] ?? ''
  const { query } = useAddress()
  const answer = useAnswer<PackSummary>(`/v1/packs/${encodeURIComponent(id)}/summary`)
  const open = requestTabs.find(({ name }) => name === query['tab']) ?? requestTabs[0]
  return (
    <div class="page">
      {answer.data === undefined && <Title text="Request" />}
      <Answered answer={answer}>{(pack) => <Found pack={pack} open={open?.name} />}</Answered>
      {open && <open.View key={id} id={id} pack={answer.data} />}
    </div>
  )
}

interface FoundProps {
  readonly pack: PackSummary
  /** The tab that is open. */
  readonly open: string | undefined
}

function Found({ pack, open }: FoundProps): JSX.Element {
  const { withQuery } = useAddress()
  return (
    <>
      <header>
        <p class="crumbs">
          <a href={`${home}sessions`}>Sessions</a> / <NamedSession session={pack.session} />
        </p>
        <Title text={`Request of ${dateAndTime(pack.createdMs)}`} id={pack.requestId} />
        {pack.client !== undefined && <span class="quiet">from {pack.client}</span>}
        <SimulatedChip sessions={[{ simulated: pack.result?.simulated === true }]} />
        <Ids ids={{ request: pack.requestId, pack: pack.packId, session: pack.session }} />
        <Neighbours pack={pack} />
        <Actions requestId={pack.requestId} />
      </header>
      <Summary pack={pack} />
      {pack.result?.answer && <Refusal answer={pack.result.answer} />}
      <AsItCame pack={pack} />
      <WhyWhole pack={pack} />
      <LeftOut pack={pack} />
      <LeftTools pack={pack} />
      <WastedTools pack={pack} />
      <Verdict key={pack.requestId} pack={pack} />
      <nav class="tabs" aria-label="What of the request">
        {requestTabs.map(({ name, title }) => (
          <a
            key={name}
            href={withQuery({ tab: name, sort: undefined, item: undefined, open: undefined })}
            aria-current={open === name ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
    </>
  )
}

/** The requests beside it in its conversation, under the same tab. */
function Neighbours({ pack: { before, after } }: { readonly pack: PackSummary }): JSX.Element {
  const { query } = useAddress()
  const linkOf = (id: string): string =>
    query['tab'] === undefined
      ? addressOf.request(id)
      : `${addressOf.request(id)}?tab=${encodeURIComponent(query['tab'])}`
  return (
    <nav class="neighbours" aria-label="Requests beside it">
      {before ? <a href={linkOf(before.requestId)}>← the one before</a> : <span class="quiet">the first one kept</span>}
      {after ? <a href={linkOf(after.requestId)}>the next →</a> : <span class="quiet">the newest</span>}
    </nav>
  )
}

function Summary({ pack }: { readonly pack: PackSummary }): JSX.Element {
  const { manifest, result, model, dialect, mode } = pack
  const { packTokens, originalTokens, overheadTokens, windowTokens, reserveTokens, outcome, policyId, epoch } = manifest
  const usage = result?.usage
  return (
    <Figures>
      <Figure name="Model" value={model ?? 'n/a'} note={`${dialect}, mode ${mode}, policy ${policyId}`} />
      <Figure
        name={sentName(pack)}
        term="Sent"
        value={`${tokens(pack.shortage ? originalTokens : packTokens)} tokens`}
        note={`of ${tokens(originalTokens)}, and ${count(overheadTokens)} of frame; window ${tokens(windowTokens)}, ${tokens(reserveTokens)} kept for the answer`}
      />
      <Figure name="Outcome" value={outcome} tone={outcome === 'ok' ? undefined : 'bad'} note={endWords(result)} />
      <Figure
        name="Read from the cache"
        value={usage && usage.inputTokens > 0 ? percent((usage.cacheReadTokens ?? 0) / usage.inputTokens) : 'n/a'}
        note={
          usage
            ? `the provider counts ${count(usage.inputTokens)} tokens in, ${count(usage.outputTokens)} out`
            : 'the provider has not said'
        }
      />
      <Figure
        name="Cost"
        value={money(result?.cost?.usd)}
        note={`at the prices of ${result?.answeredBy ?? model ?? 'its model'}`}
      />
      <SavedFigures
        dollars={dollarsOf(result?.cost)}
        cachedShare={usage && usage.inputTokens > 0 ? (usage.cacheReadTokens ?? 0) / usage.inputTokens : null}
      />
      <Figure
        name="Epoch"
        value={epoch ? String(epoch.epoch) : 'n/a'}
        note={epoch && `${epoch.decision}: ${epochWords(epoch.cause)}`}
      />
      <Figure
        name="Own latency"
        value={milliseconds(result?.overheadMs)}
        note={`provider ${milliseconds(result?.upstreamMs)}`}
      />
    </Figures>
  )
}

function AsItCame({ pack }: { readonly pack: PackSummary }): JSX.Element | null {
  const { withQuery } = useAddress()
  if (pack.sentAs === 'packed') return null
  return (
    <p class="problem" role="note">
      <span>
        {sentAsWords(pack)}
        {pack.mode === 'on' && <a href={withQuery({ tab: 'bytes' })}> See the bytes.</a>}
      </span>
    </p>
  )
}
