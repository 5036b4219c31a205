import type { JSX } from 'preact'
import { addressOf, useAddress } from '../address.ts'
import type { SearchResult, SessionLabel } from '../api/answers.ts'
import { useAnswer } from '../api/use-answer.ts'
import { useSessionLabels } from '../api/use-session-labels.ts'
import { ago, dateAndTime } from '../format.ts'
import { sessionName } from '../session-name.ts'
import { SessionLink } from '../parts/session-link.tsx'
import { Answered, Empty } from '../parts/states.tsx'
import { Title } from '../parts/title.tsx'

export function Search(): JSX.Element {
  const { query } = useAddress()
  const text = query['q'] ?? ''
  const answer = useAnswer<SearchResult>(text === '' ? undefined : '/v1/search', { q: text, session: query['session'] })
  return (
    <div class="page">
      <header>
        <Title text="Search" />
        <p class="quiet">
          {text === ''
            ? 'Words of prompts, results and answers; names of sessions; ids of requests and packs; handles.'
            : `“${text}”`}
        </p>
      </header>
      {text !== '' && <Answered answer={answer}>{(found) => <Found found={found} words={text} />}</Answered>}
    </div>
  )
}

interface FoundProps {
  readonly found: SearchResult
  /** What was looked for. */
  readonly words: string
}

function Found({ found, words }: FoundProps): JSX.Element {
  const { sessions, receipts, handles, items, texts, whyNoTexts } = found
  const labels = useSessionLabels()
  if (sessions.length + receipts.length + handles.length + items.length + texts.length === 0)
    return <Nothing whyNoTexts={whyNoTexts} />
  return (
    <>
      <Group title="Sessions" count={sessions.length}>
        {sessions.map(({ session, usedMs }) => (
          <li key={session}>
            <SessionLink session={session} label={labels.get(session)} />{' '}
            <span class="quiet">{ago(usedMs, Date.now())}</span>
          </li>
        ))}
      </Group>
      <Texts texts={texts} words={words} labels={labels} />
      {whyNoTexts !== null && <p class="quiet">Texts of new requests cannot be searched: {whyNoTexts}</p>}
      <Group title="Requests" count={receipts.length}>
        {receipts.map(({ requestId, session, createdMs }) => (
          <li key={requestId}>
            <a href={addressOf.request(requestId)} title={requestId}>
              Request of {dateAndTime(createdMs)}
            </a>{' '}
            <span class="quiet">{sessionName(session, labels.get(session))}</span>
          </li>
        ))}
      </Group>
      <Group title="Handles" count={handles.length}>
        {handles.map(({ handle, session }) => (
          <li key={`${session} ${handle}`}>
            <a href={addressOf.original(session, handle)}>
              <code>[{handle}]</code>
            </a>{' '}
            of <SessionLink session={session} label={labels.get(session)} />
          </li>
        ))}
      </Group>
      <Group title="Items" count={items.length}>
        {items.map(({ itemId, requestId, toolName, excerpt }) => (
          <li key={itemId}>
            <a href={addressOf.item(requestId, itemId)} title={itemId}>
              {toolName ?? 'message'}
            </a>{' '}
            <span class="quiet">{excerpt}</span>
          </li>
        ))}
      </Group>
    </>
  )
}

function Nothing({ whyNoTexts }: Pick<SearchResult, 'whyNoTexts'>): JSX.Element {
  return (
    <section class="panel">
      <Empty title="Nothing was found">
        <p>
          Sessions are found by any part of their name and by the first words of the user; requests, packs and handles
          by how they begin; prompts, results and answers by their words.
        </p>
        {whyNoTexts !== null && <p>Texts cannot be searched: {whyNoTexts}</p>}
      </Empty>
    </section>
  )
}

interface TextsProps extends Pick<SearchResult, 'texts'> {
  readonly words: string
  readonly labels: ReadonlyMap<string, SessionLabel>
}

/** Items whose texts say the words, with what stands around them. */
function Texts({ texts, words, labels }: TextsProps): JSX.Element {
  return (
    <Group title="Texts" count={texts.length}>
      {texts.map(({ session, requestId, itemId, name, createdMs, excerpt }) => (
        <li key={`${session} ${requestId} ${itemId}`}>
          <a href={requestId === null ? addressOf.session(session) : addressOf.item(requestId, itemId)} title={itemId}>
            {name}
          </a>{' '}
          <small class="quiet">
            {sessionName(session, labels.get(session))}, {dateAndTime(createdMs)}
          </small>
          <blockquote>
            <Marked text={excerpt} words={words} />
          </blockquote>
        </li>
      ))}
    </Group>
  )
}

interface MarkedProps {
  readonly text: string
  readonly words: string
}

/** A text with the words that were looked for, or their beginnings, marked. */
function Marked({ text, words }: MarkedProps): JSX.Element {
  const sought = (words.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).map((word) =>
    word.slice(0, Math.max(3, word.length - 3)),
  )
  const pieces = text.split(/([\p{L}\p{M}\p{N}]+)/u)
  return (
    <>
      {pieces.map((piece, at) =>
        at % 2 === 1 && sought.some((word) => piece.toLowerCase().startsWith(word)) ? (
          <mark key={at}>{piece}</mark>
        ) : (
          piece
        ),
      )}
    </>
  )
}

interface GroupProps {
  readonly title: string
  readonly count: number
  readonly children: JSX.Element[]
}

function Group({ title, count, children }: GroupProps): JSX.Element | null {
  if (count === 0) return null
  return (
    <section class="panel">
      <header>
        <h2>{title}</h2>
      </header>
      <ul class="found">{children}</ul>
    </section>
  )
}
