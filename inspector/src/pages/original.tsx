import { useRoute } from 'preact-iso'
import type { JSX } from 'preact'
import { addressOf, home } from '../address.ts'
import type { Rehydrated } from '../api/answers.ts'
import { useAnswer } from '../api/use-answer.ts'
import { count } from '../format.ts'
import { NamedSession } from '../parts/named-session.tsx'
import { Answered, Empty } from '../parts/states.tsx'
import { TextBlock } from '../parts/text-block.tsx'
import { Title } from '../parts/title.tsx'
import { reasonWords, rungWords } from '../glossary.ts'

/** What a handle leads to, in the words in which a model gets it that asks for it. */
export function Original(): JSX.Element {
  const { params } = useRoute()
  const { id: session = '', handle = '' } = params
  const answer = useAnswer<Rehydrated>(`/v1/sessions/${encodeURIComponent(session)}/rehydrate`, {}, { handle })
  return (
    <div class="page">
      <header>
        <p class="crumbs">
          <a href={`${home}sessions`}>Sessions</a> / <NamedSession session={session} />
        </p>
        <Title text={`[${handle}]`} isCode />
      </header>
      <Answered answer={answer}>
        {({ found, text, fetched }) => (
          <section class="panel">
            {found ? (
              <>
                <header>
                  <h2>Original</h2>
                  <p>{count(text.length)} characters, as a model gets them that asks for this handle.</p>
                  {fetched.map(({ leftOut }) => leftOut && <LeftOut key={leftOut.itemId} leftOut={leftOut} />)}
                </header>
                <div class="inside">
                  <TextBlock text={text} label="original" isOpenFirst />
                </div>
              </>
            ) : (
              <Empty title="Nothing stands under this handle">
                <p>{text}</p>
              </Empty>
            )}
          </section>
        )}
      </Answered>
    </div>
  )
}

type Fetched = Rehydrated['fetched'][number]

/** The decision by which it was shortened first. */
function LeftOut({ leftOut }: { readonly leftOut: NonNullable<Fetched['leftOut']> }): JSX.Element {
  const { itemId, rung, reason, requestId } = leftOut
  return (
    <p>
      First {rungWords(rung)}: {reasonWords(reason)}.{' '}
      {requestId !== undefined && <a href={addressOf.item(requestId, itemId)}>The request with which it was</a>}
    </p>
  )
}
