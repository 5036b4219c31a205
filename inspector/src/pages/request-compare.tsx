import type { JSX } from 'preact'
import { useAddress } from '../address.ts'
import type { PackComparison, PolicyList } from '../api/answers.ts'
import { useAnswer } from '../api/use-answer.ts'
import { useGrowing } from '../api/use-growing.ts'
import type { Growing } from '../api/use-growing.ts'
import { count, counted } from '../format.ts'
import { Problem } from '../parts/states.tsx'
import { WhyNot } from '../parts/why-not.tsx'
import { ComparedItems } from './request-compared-items.tsx'
import { Sides } from './request-compared-sides.tsx'
import type { TabProps } from './tab-props.ts'

const growing: Growing<PackComparison, PackComparison> = {
  limits: [30, 400],
  join: (before, page) => (before ? { ...before, items: [...before.items, ...page.items] } : page),
}

/** The request as another policy would have packed it, beside what was sent. */
export function Compare({ id, pack }: TabProps): JSX.Element | null {
  const { query } = useAddress()
  const policy = query['policy'] ?? ''
  const { against, from } = query
  const path = policy === '' ? undefined : `/v1/packs/${encodeURIComponent(id)}/comparison`
  const { data, problem, isWaiting, again } = useGrowing<PackComparison, PackComparison>(
    path,
    { policy, against, from },
    growing,
  )
  if (!pack) return null
  return (
    <>
      <Choice recorded={pack.manifest.policyId} />
      {problem && <Problem problem={problem} again={again} />}
      {path !== undefined && data === undefined && isWaiting && (
        <p class="waiting" role="status">
          Packing the session again, request by request …
        </p>
      )}
      {data &&
        (data.whyNot === null ? <Compared comparison={data} isWhole={!isWaiting} /> : <WhyNot reason={data.whyNot} />)}
    </>
  )
}

/** Which policies, and since when. */
function Choice({ recorded }: { readonly recorded: string }): JSX.Element {
  const { query, set } = useAddress()
  const { data } = useAnswer<PolicyList>('/v1/policies')
  const names = (data?.data ?? []).map(({ id }) => id)
  const { policy = '', against = '', from = 'session' } = query
  return (
    <section class="panel">
      <header>
        <h2>Under another policy</h2>
        <p>What it would have sent for this request, beside what was sent.</p>
      </header>
      <div class="inside fields">
        <label>
          Policy
          <select value={policy} onChange={(event) => set({ policy: event.currentTarget.value })}>
            <option value="">choose one …</option>
            <Names all={names} chosen={policy} />
          </select>
        </label>
        <label>
          beside
          <select value={against} onChange={(event) => set({ against: event.currentTarget.value })}>
            <option value="">what was sent ({recorded})</option>
            <Names all={names} chosen={against} />
          </select>
        </label>
        <label>
          in force
          <select value={from} onChange={(event) => set({ from: event.currentTarget.value })}>
            <option value="session">since the session began</option>
            <option value="request">from this request on</option>
          </select>
        </label>
      </div>
    </section>
  )
}

/** One of a replay has no name in the list. */
function Names({ all, chosen }: { readonly all: readonly string[]; readonly chosen: string }): JSX.Element {
  const shown = chosen === '' || all.includes(chosen) ? all : [...all, chosen]
  return (
    <>
      {shown.map((name) => (
        <option key={name} value={name}>
          {name.startsWith('rpl_') ? `${name.slice(-1)} of the replay` : name}
        </option>
      ))}
    </>
  )
}

interface ComparedProps {
  readonly comparison: PackComparison
  readonly isWhole: boolean
}

function Compared({ comparison, isWhole }: ComparedProps): JSX.Element {
  const { requests, from, rules, sides, counts } = comparison
  const [first, second] = sides
  return (
    <>
      <section class="panel">
        <header>
          <h2>What it comes to</h2>
          <p>
            {from === 'session'
              ? `${counted(requests, ['request', 'requests'])} of the session packed again, this one the last.`
              : 'Decided upon what stood when this request came.'}{' '}
            {rules === null ? 'Input alone, billed by plain rules.' : `Input alone, billed by the rules of ${rules}.`}
          </p>
        </header>
        {first && second && <Sides first={first} second={second} />}
      </section>
      {counts.otherwise === 0 ? (
        <p class="inside">
          <span class="chip good">the same</span> Both would send the same {count(counts.items)} items, word for word.
        </p>
      ) : (
        <ComparedItems comparison={comparison} isWhole={isWhole} />
      )}
    </>
  )
}
