import type { JSX } from 'preact'
import { useAddress } from '../address.ts'
import type { PackSummary } from '../api/answers.ts'
import { count, counted } from '../format.ts'
import { sectionWords } from '../glossary.ts'

/** What a request was sent without for want of room, by section. */
export function LeftOut({ pack: { manifest, sentAs } }: { readonly pack: PackSummary }): JSX.Element | null {
  const { withQuery } = useAddress()
  const without = manifest.sections.filter(({ excluded }) => excluded > 0)
  if (sentAs !== 'packed' || without.length === 0) return null
  const all = without.reduce((sum, { excluded }) => sum + excluded, 0)
  const bySection = without.map(({ section, excluded }) => `${count(excluded)} of ${sectionWords(section)}`)
  return (
    <p class="quiet" role="note">
      {counted(all, ['item was', 'items were'])} left out of the request ({bySection.join(', ')}); the model can ask for
      what has a handle.{' '}
      <a href={withQuery({ tab: 'decisions', rung: 'omitted', sort: '-less', item: undefined })}>See what and why</a>
    </p>
  )
}
