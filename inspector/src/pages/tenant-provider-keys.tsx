import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ProviderKey } from '../api/answers.ts'
import { ask } from '../api/client.ts'
import type { ApiProblem } from '../api/client.ts'
import { asProblem, useAnswer } from '../api/use-answer.ts'
import { SortedTable } from '../parts/sorted-table.tsx'
import type { Column } from '../parts/sorted-table.tsx'
import { Answered, Empty, Problem } from '../parts/states.tsx'
import { SureButton } from '../parts/sure-button.tsx'
import { When } from '../parts/when.tsx'

/** For which providers a tenant has keys of its own; the keys themselves are never shown. */
export function ProviderKeys({ tenant }: { readonly tenant: string }): JSX.Element {
  const path = `/v1/tenants/${encodeURIComponent(tenant)}/provider-keys`
  const answer = useAnswer<{ readonly data: readonly ProviderKey[] }>(path)
  const [problem, setProblem] = useState<ApiProblem>()
  const remove = ({ upstream }: ProviderKey): void => {
    setProblem(undefined)
    ask(`${path}/${encodeURIComponent(upstream)}`, { method: 'DELETE' }).then(answer.again, (error: unknown) =>
      setProblem(asProblem(error)),
    )
  }
  return (
    <Answered answer={answer}>
      {({ data }) => (
        <section class="panel">
          <header>
            <h2>Keys for providers</h2>
            <p>Stored encrypted; only the first and the last four characters are known here.</p>
          </header>
          {problem && <Problem problem={problem} again={() => setProblem(undefined)} />}
          {data.length === 0 ? (
            <Empty title="It has none of its own">
              <p>Its requests use the keys of the configuration. To give it one:</p>
              <pre>{`prehend provider-keys set openai --tenant ${tenant} --url ${location.origin} < key.txt`}</pre>
            </Empty>
          ) : (
            <SortedTable
              caption="Keys for providers"
              columns={[...columns, removal(remove)]}
              rows={data}
              keyOf={({ upstream }) => upstream}
            />
          )}
          {data.some(({ isCurrent }) => !isCurrent) && (
            <p class="inside">
              Some are encrypted by an older secret. Encrypt them by the present one:{' '}
              <code>prehend provider-keys rewrap --url {location.origin}</code>
            </p>
          )}
        </section>
      )}
    </Answered>
  )
}

const columns: readonly Column<ProviderKey>[] = [
  { name: 'provider', title: 'Provider', cell: ({ upstream }) => upstream, by: ({ upstream }) => upstream },
  {
    name: 'key',
    title: 'Key',
    cell: ({ prefix, lastFour }) => <code>{prefix === '' ? '…' : `${prefix}…${lastFour}`}</code>,
  },
  {
    name: 'state',
    title: 'State',
    cell: ({ state }) => <span class={`chip ${state === 'ready' ? 'good' : 'bad'}`}>{state}</span>,
    by: ({ state }) => state,
  },
  { name: 'set', title: 'Set', cell: ({ setMs }) => <When ms={setMs} />, by: ({ setMs }) => setMs },
  {
    name: 'wrapped',
    title: 'Encrypted by',
    cell: ({ wrappedBy, isCurrent }) => (
      <>
        <code>{wrappedBy}</code> {!isCurrent && <span class="chip warn">an older one</span>}
      </>
    ),
    by: ({ wrappedBy }) => wrappedBy,
  },
]

function removal(remove: (key: ProviderKey) => void): Column<ProviderKey> {
  return {
    name: 'change',
    title: 'Change',
    cell: (key) => (
      <SureButton
        label="Remove"
        sure={`Remove ${key.upstream}: the key of the configuration is used again`}
        onSure={() => remove(key)}
      />
    ),
  }
}
