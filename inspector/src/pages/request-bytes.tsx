import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { useAddress } from '../address.ts'
import type { PackBytes } from '../api/answers.ts'
import { useAnswer } from '../api/use-answer.ts'
import { count } from '../format.ts'
import { Answered } from '../parts/states.tsx'
import { TextBlock } from '../parts/text-block.tsx'
import { TextDifference } from '../parts/text-difference.tsx'
import { WhyNot } from '../parts/why-not.tsx'
import type { TabProps } from './tab-props.ts'

/** The bodies as they came and as they went upstream. */
export function Bytes({ id, pack }: TabProps): JSX.Element | null {
  const answer = useAnswer<PackBytes>(`/v1/packs/${encodeURIComponent(id)}/bytes`)
  if (!pack) return null
  return (
    <Answered answer={answer}>
      {({ whyNot, received, sent, ...rest }) =>
        received === null || sent === null ? (
          <WhyNot reason={whyNot ?? 'The body cannot be written again.'} />
        ) : (
          <Both received={received} sent={sent} {...rest} />
        )
      }
    </Answered>
  )
}

interface BothProps extends Pick<PackBytes, 'sentHash' | 'proven' | 'sameTo'> {
  readonly received: string
  readonly sent: string
}

const views = [
  ['', 'Difference'],
  ['received', 'As received'],
  ['sent', 'As sent'],
] as const

function Both({ received, sent, sentHash, proven, sameTo }: BothProps): JSX.Element {
  const { query, withQuery } = useAddress()
  const view = query['bytes'] ?? ''
  const before = useMemo(() => readable(received), [received])
  const after = useMemo(() => readable(sent), [sent])
  return (
    <section class="panel">
      <header>
        <h2>Bytes</h2>
        <p>
          {count(received.length)} characters received, {count(sent.length)} sent; the first {count(sameTo)} are the
          same.
        </p>
        {proven !== null && (
          <span class={`chip ${proven ? 'good' : 'bad'}`} title={`SHA-256 ${sentHash ?? ''}`}>
            {proven ? 'proven by its hash' : 'not the bytes that went upstream'}
          </span>
        )}
      </header>
      <nav class="tabs" aria-label="Which bytes">
        {views.map(([name, title]) => (
          <a key={name} href={withQuery({ bytes: name })} aria-current={view === name ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <div class="inside">
        {view === '' && <TextDifference before={before} after={after} label="difference of the bodies" />}
        {view === 'received' && <TextBlock text={received} label="body as received" />}
        {view === 'sent' && <TextBlock text={sent} label="body as sent" />}
      </div>
    </section>
  )
}

/** JSON with a line for each member, and for each line of its texts: two bodies of one line each cannot be compared. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 1).replaceAll(String.raw`\n`, '\\n\n')
  } catch {
    return body
  }
}
