import type { JSX } from 'preact'
import { addressOf, useAddress } from '../address.ts'
import type { SearchResult } from '../api/answers.ts'
import { useAnswer } from '../api/use-answer.ts'
import { useSessionLabels } from '../api/use-session-labels.ts'
import { ago, dateAndTime } from '../format.ts'
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
          {text === '' ? 'Names and first words of sessions, ids of requests and packs, handles.' : `“${text}”`}
        </p>
      </header>
      {text !== '' && <Answered answer={answer}>{(found) => <Found found={found} />}</Answered>}
    </div>
  )
}

function Found({ found }: { readonly found: SearchResult }): JSX.Element {
  const { sessions, receipts, handles, items } = found
  const labels = useSessionLabels()
  if (sessions.length + receipts.length + handles.length + items.length === 0)
    return (
      <section class="panel">
        <Empty title="Nothing is called that">
          <p>
            Sessions are found by any part of their name and by the first words of the user; requests, packs and handles
            by how they begin.
          </p>
        </Empty>
      </section>
    )
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
      <Group title="Requests" count={receipts.length}>
        {receipts.map(({ requestId, session, createdMs }) => (
          <li key={requestId}>
            <a href={addressOf.request(requestId)}>
              <code>{requestId}</code>
            </a>{' '}
            <span class="quiet">
              {session}, {dateAndTime(createdMs)}
            </span>
          </li>
        ))}
      </Group>
      <Group title="Handles" count={handles.length}>
        {handles.map(({ handle, session }) => (
          <li key={`${session} ${handle}`}>
            <a href={addressOf.original(session, handle)}>
              <code>[{handle}]</code>
            </a>{' '}
            of <SessionLink session={session} />
          </li>
        ))}
      </Group>
      <Group title="Items" count={items.length}>
        {items.map(({ itemId, requestId, toolName, excerpt }) => (
          <li key={itemId}>
            <a href={addressOf.item(requestId, itemId)}>
              <code>{itemId}</code>
            </a>{' '}
            {toolName} <span class="quiet">{excerpt}</span>
          </li>
        ))}
      </Group>
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
