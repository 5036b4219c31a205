import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { addressOf } from '../address.ts'
import type { Outcome } from '../api/answers.ts'
import { useSteering } from '../api/use-steering.ts'
import type { Steered } from '../api/use-steering.ts'
import { count } from '../format.ts'

const mostChars = 2000

interface SteeringProps {
  readonly session: string
  readonly outcomes: readonly Outcome[]
}

/** What a person has to say to a session: a note for its model, pinned items, verdicts. */
export function Steering({ session, outcomes }: SteeringProps): JSX.Element {
  const steered = useSteering(session)
  return (
    <section class="panel">
      <header>
        <h2>Steering</h2>
        <p>Takes effect with the next request of this session.</p>
      </header>
      <div class="inside steering">
        {steered.steering && <Note key={steered.steering.note ?? ''} steered={steered} />}
        <Pins steered={steered} />
        <Verdicts outcomes={outcomes} />
        <p role="status">{steered.problem !== undefined && <span class="chip bad">{steered.problem}</span>}</p>
      </div>
    </section>
  )
}

function Note({ steered: { steering, isBusy, change } }: { readonly steered: Steered }): JSX.Element {
  const note = steering?.note ?? null
  const [text, setText] = useState(note ?? '')
  const isNew = text.trim() !== '' && text.trim() !== note
  const send = (event: Event): void => {
    event.preventDefault()
    void change({ note: text.trim() })
  }
  return (
    <form onSubmit={send}>
      <label>
        <span class="quiet">A note for the model, {count(mostChars)} characters at most</span>
        <textarea
          rows={2}
          maxLength={mostChars}
          value={text}
          placeholder="Never change the tests."
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <div class="fields">
        <button type="submit" disabled={!isNew || isBusy}>
          {note === null ? 'Add the note' : 'Change the note'}
        </button>
        {note !== null && (
          <button type="button" disabled={isBusy} onClick={() => void change({ note: null })}>
            Remove the note
          </button>
        )}
        <span class="quiet">
          {note === null
            ? 'It is added behind the newest message; what is cached stays as it is.'
            : 'The model is told. After you remove it, the next request says once that it is withdrawn.'}
        </span>
      </div>
    </form>
  )
}

function Pins({ steered: { steering, isBusy, change } }: { readonly steered: Steered }): JSX.Element {
  const pins = steering?.pins ?? []
  if (pins.length === 0)
    return <p class="quiet">No item is pinned. “Pin” stands beside each item under “What the model saw”.</p>
  return (
    <div>
      <p>Pinned, so that the model always reads them whole:</p>
      <ul class="found">
        {pins.map(({ itemId, name }) => (
          <li key={itemId}>
            <span title={itemId}>{name ?? itemId}</span>{' '}
            <button type="button" class="plain" disabled={isBusy} onClick={() => void change({ unpin: [itemId] })}>
              Unpin<span class="hidden-label"> {name ?? itemId}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Verdicts({ outcomes }: Pick<SteeringProps, 'outcomes'>): JSX.Element | null {
  const told = outcomes.filter(({ requestId }) => requestId !== undefined)
  if (told.length === 0) return null
  return (
    <p>
      Verdicts:{' '}
      {told.map(({ requestId = '', quality, source }, at) => (
        <>
          {at > 0 && ', '}
          <a href={addressOf.request(requestId)}>
            <span class={`chip ${quality >= 0.5 ? 'good' : 'bad'}`}>{verdictWord(quality)}</span>
            {source !== 'person' && ` by ${source}`}
          </a>
        </>
      ))}
    </p>
  )
}

/** A person says good or bad; a program may say how good. */
export function verdictWord(quality: number): string {
  return quality === 1 ? 'good' : quality === 0 ? 'bad' : count(quality)
}
