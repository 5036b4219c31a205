import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { List, Outcome, PackSummary } from '../api/answers.ts'
import { ask } from '../api/client.ts'
import { asProblem, useAnswer } from '../api/use-answer.ts'

const verdicts = [
  ['Good', 1],
  ['Bad', 0],
] as const

/** Whether somebody found the answer good or bad, and saying so. What others have found stands beside it. */
export function Verdict({ pack: { session, requestId } }: { readonly pack: PackSummary }): JSX.Element {
  const { data, again } = useAnswer<List<Outcome>>('/v1/outcomes', { session, requestId })
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const given = data?.data.find(({ source }) => source === 'person')
  const others = data?.data.filter(({ source }) => source !== 'person') ?? []
  const say = async (quality: number): Promise<void> => {
    setIsBusy(true)
    const body = { session, requestId, source: 'person', quality, replace: true }
    const failed = await ask('/v1/outcomes', { method: 'POST', body }).then(
      () => undefined,
      (error: unknown) => asProblem(error).message,
    )
    setProblem(failed)
    setIsBusy(false)
    again()
  }
  return (
    <div class="verdict" role="group" aria-label="Your verdict on this request">
      <span class="quiet">Was the answer good?</span>
      {verdicts.map(([name, quality]) => (
        <button
          key={name}
          type="button"
          disabled={isBusy}
          aria-pressed={given?.quality === quality}
          onClick={() => void say(quality)}
        >
          {name}
        </button>
      ))}
      <span role="status">
        {problem === undefined ? given && verdictWords(given) : <span class="chip bad">{problem}</span>}
      </span>
      {others.length > 0 && <span class="quiet">{others.map(otherWords).join(', ')}</span>}
    </div>
  )
}

function verdictWords({ quality, note }: Outcome): string {
  const word = verdicts.find(([, value]) => value === quality)?.[0].toLowerCase() ?? String(quality)
  return `Recorded as ${word}.${note === undefined ? '' : ` ${note}`}`
}

function otherWords({ source, quality }: Outcome): string {
  return `${source}: ${quality}`
}
