import type { Item } from '../../../core/index.ts'
import { relevanceRanker } from '../../../knowledge/index.ts'
import { lineOf, short } from './finding.ts'
import type { Case, Finding, FoundText } from './finding.ts'

/** What is needed and stands nowhere in what is shown. */
export function missing(given: Case): readonly Finding[] {
  const found = given.needed.flatMap((one) => missingText(given, one))
  return found.length > 0 ? found : betterLeftOut(given)
}

function missingText(given: Case, { text, isNamed }: Case['needed'][number]): readonly Finding[] {
  const places = placesOf(given, text)
  if (places.some(({ isShown }) => isShown)) return []
  const texts = places.slice(0, 3).map(({ place }) => place)
  if (texts.length > 0) {
    const back = texts.some(({ handle }) => handle !== undefined)
    return [
      {
        cause: 'missing',
        weight: isNamed ? 1 : 0.75,
        why: `${JSON.stringify(short(text))} is needed and stands only in what was left out or shortened.`,
        texts,
        remedy: `Pin the item, give its section more room${back ? ', or bring it back by its handle' : ''}.`,
      },
    ]
  }
  const weight = isNamed ? 0.95 : given.request.includes('?') ? 0.4 : 0.2
  const why = `${JSON.stringify(short(text))} is needed and stands in nothing that was given.`
  return [
    { cause: 'missing', weight, why, texts: [], remedy: 'Give what says it: retrieve it, or have a tool read it.' },
  ]
}

interface Place {
  readonly place: FoundText
  readonly isShown: boolean
}

/** The lines that say it, but for those of who asks. */
export function placesOf(given: Case, wanted: string): readonly Place[] {
  return given.input.items.flatMap((item) => {
    if (given.asking.has(item.id) || !item.text.includes(wanted)) return []
    const shown = given.shown.get(item.id)
    const isWhole = given.whole.has(item.id)
    if (isWhole || wanted.includes('\n')) {
      const place = lineOf(given, item, lineWith(item, wanted))
      return [{ place, isShown: isWhole || shown?.includes(wanted) === true }]
    }
    return item.text.split('\n').flatMap((line, index) => {
      if (!line.includes(wanted)) return []
      return [{ place: lineOf(given, item, index), isShown: shown?.includes(line.trim()) === true }]
    })
  })
}

function lineWith({ text }: Item, wanted: string): number {
  return text.slice(0, text.indexOf(wanted)).split('\n').length - 1
}

/** Of what has least to do with the request nothing is said. */
const goodEnough = 0.5

/** Evidence or memory that was left out and has more to do with the request than all that is shown. */
function betterLeftOut(given: Case): readonly Finding[] {
  const items = given.input.items.filter(({ section }) => section === 'evidence' || section === 'memory')
  if (items.length < 2) return []
  const scores = relevanceRanker(items)(given.request)
  const best = items.reduce((top, _, at) => ((scores[at] ?? 0) > (scores[top] ?? 0) ? at : top), 0)
  const item = items[best]
  const isClear = items.every((one, at) => !given.shown.has(one.id) || (scores[at] ?? 0) < goodEnough)
  if (item === undefined || given.shown.has(item.id) || (scores[best] ?? 0) <= 0 || !isClear) return []
  const reason = given.manifest.decisions.find(({ itemId }) => itemId === item.id)?.reason ?? 'section-budget'
  return [
    {
      cause: 'missing',
      weight: 0.6,
      why: `What has most to do with the request was left out (${reason}), and nothing that is shown comes near.`,
      texts: [lineOf(given, item, 0)],
      remedy: 'Score it higher, pin it, or give its section more room.',
    },
  ]
}
