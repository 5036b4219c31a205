import type { JSX } from 'preact'
import { home } from '../address.ts'
import type { Statistics } from '../api/answers.ts'
import { token } from '../api/client.ts'
import { useAnswer } from '../api/use-answer.ts'
import { count } from '../format.ts'
import { othersIn } from './other-tenants.ts'
import { Empty } from './states.tsx'

/** Where nothing of one's own tenant has come through yet: how something does, and where an operator finds the others. */
export function FirstSteps(): JSX.Element {
  const { data: statistics } = useAnswer<Statistics>('/v1/stats', { by: 'tenant' })
  const others = statistics && othersIn(statistics)
  return (
    <section class="panel">
      {statistics && others && others.requests > 0 ? (
        <Empty title={`Nothing of tenant ${statistics.tenant} has come through yet`}>
          <p>
            This page shows requests of your own tenant. {count(others.requests)} requests of{' '}
            {others.tenants === 1 ? 'another tenant' : `${count(others.tenants)} other tenants`} have come through: the{' '}
            <a href={home}>overview</a> has their sums, and <a href={`${home}tenants`}>Tenants</a> their settings.
          </p>
        </Empty>
      ) : (
        <Steps />
      )}
    </section>
  )
}

function Steps(): JSX.Element {
  const url = location.origin
  const isSigned = token.get() !== ''
  const key = isSigned ? 'YOUR_KEY' : 'any'
  return (
    <Empty title="Nothing has come through yet">
      <p>Point an agent or an SDK at this gateway; its requests appear here as they come.</p>
      <pre>{`new OpenAI({ baseURL: '${url}/v1', apiKey: '${key}' })
new Anthropic({ baseURL: '${url}', apiKey: '${key}' })`}</pre>
      <p>Or send one by hand:</p>
      <pre>{`curl ${url}/v1/chat/completions -H 'content-type: application/json' \\${isSigned ? `\n  -H 'authorization: Bearer ${key}' \\` : ''}
  -d '{"model":"gpt-5.1","messages":[{"role":"user","content":"Hello"}]}'`}</pre>
    </Empty>
  )
}
