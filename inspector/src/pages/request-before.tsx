import type { JSX } from 'preact'
import { addressOf } from '../address.ts'
import type { PackDifference } from '../api/answers.ts'
import { useAnswer } from '../api/use-answer.ts'
import { count, percent } from '../format.ts'
import { Answered, Empty } from '../parts/states.tsx'
import { TextBlock } from '../parts/text-block.tsx'
import { rungWords, sectionWords } from '../glossary.ts'
import { TextDifference } from '../parts/text-difference.tsx'
import { WhyNot } from '../parts/why-not.tsx'
import type { TabProps } from './tab-props.ts'

/** What is otherwise than in the request before, and what that did to the prefix that a cache holds. */
export function Before({ id, pack }: TabProps): JSX.Element | null {
  const answer = useAnswer<PackDifference>(`/v1/packs/${encodeURIComponent(id)}/difference`)
  if (!pack) return null
  return (
    <Answered answer={answer}>
      {(difference) => {
        if (difference.whyNot !== null) return <WhyNot reason={difference.whyNot} />
        if (difference.from === null)
          return (
            <section class="panel">
              <Empty title="This is the first request of its conversation">
                <p>There is none before it to compare it with.</p>
              </Empty>
            </section>
          )
        return <Compared difference={difference} from={difference.from} />
      }}
    </Answered>
  )
}

interface ComparedProps {
  readonly difference: PackDifference
  readonly from: string
}

function Compared({ difference, from }: ComparedProps): JSX.Element {
  const { items, counts, prefix } = difference
  const otherwise = items.filter(({ change }) => change !== 'same')
  const words = Object.entries(counts).map(([change, times]) => `${count(times)} ${change}`)
  return (
    <section class="panel">
      <header>
        <h2>Against the request before</h2>
        <p>
          <a href={addressOf.request(from)} title={from}>
            The request before
          </a>
          : {words.join(', ')}
        </p>
      </header>
      {prefix && <Prefix prefix={prefix} items={items} />}
      <ol class="conversation">
        {otherwise.map((item) => (
          <Change key={`${item.change} ${item.itemId}`} item={item} />
        ))}
      </ol>
    </section>
  )
}

interface PrefixProps extends Pick<PackDifference, 'items'> {
  readonly prefix: NonNullable<PackDifference['prefix']>
}

function Prefix({ prefix, items }: PrefixProps): JSX.Element {
  const { sameItems, sameTokens, ofTokens, brokenBy } = prefix
  const broken = items.find(({ itemId }) => itemId === brokenBy)
  return (
    <p class="inside">
      {brokenBy === null ? (
        <>
          <span class="chip good">the prefix holds</span> All {count(ofTokens)} tokens of the request before stand at
          the beginning, as they were.
        </>
      ) : (
        <>
          <span class="chip bad">the prefix is broken</span> Both begin with the same {count(sameItems)} items,{' '}
          {count(sameTokens)} of {count(ofTokens)} tokens ({percent(ofTokens > 0 ? sameTokens / ofTokens : undefined)});
          what ends it is “<span title={brokenBy}>{broken?.name ?? brokenBy}</span>”.
        </>
      )}
    </p>
  )
}

const tones: Readonly<Record<string, string>> = { added: 'good', removed: 'bad', changed: 'warn', moved: '' }

function Change({ item }: { readonly item: PackDifference['items'][number] }): JSX.Element {
  const { itemId, name, change, section, rungBefore, rungAfter, tokensBefore, tokensAfter, before, after } = item
  return (
    <li class="entry">
      <header>
        <span class={`chip ${tones[change] ?? ''}`}>{change}</span>
        <strong title={itemId}>{name ?? itemId}</strong>
        <span class="quiet">{sectionWords(section)}</span>
        <span class="quiet">
          {[rungBefore, rungAfter].flatMap((rung) => (rung === null ? [] : rungWords(rung))).join(' → ')}
          {', '}
          {[tokensBefore, tokensAfter]
            .filter((tokens) => tokens !== null)
            .map((tokens) => count(tokens))
            .join(' → ')}{' '}
          tokens
        </span>
      </header>
      {before !== null && after !== null && before !== after ? (
        <TextDifference before={before} after={after} label={`${name ?? itemId}, before and now`} />
      ) : (
        (after ?? before) !== null && <TextBlock text={after ?? before ?? ''} label={name ?? itemId} />
      )}
    </li>
  )
}
