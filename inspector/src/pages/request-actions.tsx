import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Verification } from '../api/answers.ts'
import { ask, request } from '../api/client.ts'
import type { ApiProblem } from '../api/client.ts'
import { asProblem } from '../api/use-answer.ts'
import { count } from '../format.ts'
import { verificationWords } from '../verification-words.ts'
import type { Told } from '../verification-words.ts'

const copies = [
  ['curl', 'as curl'],
  ['test', 'as a test'],
  ['document', 'as a document'],
] as const

/** Proves a request, or takes it along. */
export function Actions({ requestId }: { readonly requestId: string }): JSX.Element {
  const [told, setTold] = useState<Told>()
  const [isBusy, setIsBusy] = useState(false)
  const path = `/v1/packs/${encodeURIComponent(requestId)}`
  const run = async (work: () => Promise<Told>): Promise<void> => {
    setIsBusy(true)
    setTold(undefined)
    setTold(await work().catch((error: unknown) => problemTold(asProblem(error))))
    setIsBusy(false)
  }
  const copy = async (as: string): Promise<Told> => {
    const text = await (await request(`${path}/copy`, { params: { as } })).text()
    await navigator.clipboard.writeText(text)
    return { tone: 'good', words: `Copied, ${count(text.length)} characters.` }
  }
  return (
    <div class="end">
      <span role="status">{told && <span class={`chip ${told.tone}`}>{told.words}</span>}</span>
      <button type="button" disabled={isBusy} onClick={() => void run(() => verified(path))}>
        Verify
      </button>
      {copies.map(([as, title]) => (
        <button key={as} type="button" disabled={isBusy} onClick={() => void run(() => copy(as))}>
          Copy {title}
        </button>
      ))}
    </div>
  )
}

function problemTold({ message }: ApiProblem): Told {
  return { tone: 'bad', words: message }
}

async function verified(path: string): Promise<Told> {
  return verificationWords(await ask<Verification>(`${path}/verify`, { method: 'POST' }))
}
