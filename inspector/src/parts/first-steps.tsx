import type { JSX } from 'preact'
import { Empty } from './states.tsx'

/** Where nothing has come through yet: how something does. */
export function FirstSteps(): JSX.Element {
  const url = location.origin
  return (
    <section class="panel">
      <Empty title="Nothing has come through yet">
        <p>Point an agent or an SDK at this gateway; its requests appear here as they come.</p>
        <pre>{`new OpenAI({ baseURL: '${url}/v1', apiKey: 'any' })
new Anthropic({ baseURL: '${url}', apiKey: 'any' })`}</pre>
        <p>Or send one by hand:</p>
        <pre>{`curl ${url}/v1/chat/completions -H 'content-type: application/json' \\
  -d '{"model":"gpt-5.1","messages":[{"role":"user","content":"Hello"}]}'`}</pre>
      </Empty>
    </section>
  )
}
