import type { JSX } from 'preact'
import type { PackSummary } from '../api/answers.ts'

type Answer = NonNullable<NonNullable<PackSummary['result']>['answer']>

const whyNots: Readonly<Record<NonNullable<Answer['whyNot']>, string>> = {
  'not-recorded': 'Its words are not kept: this gateway records receipts alone (--record content keeps them).',
  'unreadable': 'Its words could not be read: they were encoded, or too long to be held.',
  'empty': 'It gave no reason.',
}

/** With what a provider refused a request, word for word. */
export function Refusal({ answer }: { readonly answer: Answer }): JSX.Element {
  const { status, type, message, whyNot } = answer
  return (
    <section class="problem refusal" aria-label="The provider’s answer">
      <strong>
        {status < 300 ? 'The provider ended its stream in an error' : `The provider answered ${status}`}
        {type !== undefined && `, ${type}`}
      </strong>
      {message === null ? <p>{whyNot && whyNots[whyNot]}</p> : <pre>{message}</pre>}
    </section>
  )
}
