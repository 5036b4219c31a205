import type { Item, SentencePlace } from '../../../core/index.ts'
import { short } from './finding.ts'
import type { Case, Finding, FoundText } from './finding.ts'

/** Orders that exclude each other, and statements that say different figures of the same. */
export function conflicting(given: Case): readonly Finding[] {
  const orders = (given.manifest.contradictions ?? []).map(({ about, first, second }): Finding => ({
    cause: 'conflicting',
    weight: 0.8,
    why: `Two orders exclude each other (${about}).`,
    texts: [placed(given, first), placed(given, second)],
    remedy: 'Keep one of them, or say which goes before.',
  }))
  return [...orders, ...figures(given)]
}

function placed({ input: { items, frame = { request: '' } } }: Case, { at, start, end }: SentencePlace): FoundText {
  const item = items.find(({ id }) => id === at)
  if (item !== undefined) {
    const line = item.text.slice(0, start).split('\n').length
    return { at, line, text: short(item.text.slice(start, end)) }
  }
  const path = at.split(/[.[\]]+/).filter((part) => part !== '' && part !== 'frame')
  const value = path.reduce<unknown>(
    (inner, name) => (inner as Readonly<Record<string, unknown>> | undefined)?.[name],
    frame,
  )
  return { at, text: typeof value === 'string' ? short(value.slice(start, end)) : at }
}

const figureForm = /\d+(?:[.,:]\d+)*/g
const longestStatement = 300
const mostStatements = 20_000

interface Statement {
  readonly figures: string
  readonly place: FoundText
}

/** Lines of two items that differ in figures alone, and of each of which at least four words say what they are about. */
function figures(given: Case): readonly Finding[] {
  const known = new Map<string, Statement>()
  const found: Finding[] = []
  let count = 0
  for (const item of given.input.items) {
    if (!isAssertion(item) || !given.shown.has(item.id)) continue
    for (const { form, statement } of statementsOf(item)) {
      if ((count += 1) > mostStatements) return found
      const before = known.get(form)
      if (before === undefined) known.set(form, statement)
      else if (before.figures !== statement.figures && before.place.at !== item.id) {
        found.push(differing(before, statement))
        known.delete(form)
      }
    }
  }
  return found
}

function differing(before: Statement, after: Statement): Finding {
  return {
    cause: 'conflicting',
    weight: 0.7,
    why: `Two texts say different figures of the same: ${before.figures} and ${after.figures}.`,
    texts: [before.place, after.place],
    remedy: 'Leave out the one that does not hold, or say which is newer.',
  }
}

const assertions: ReadonlySet<string> = new Set(['evidence', 'memory', 'situation', 'task', 'policy'])

/** What tools return changes with the time, and so does what a user wants. */
function isAssertion({ section, kind }: Item): boolean {
  return assertions.has(section) || kind === 'evidence' || kind === 'memory'
}

function statementsOf({ id, text }: Item): readonly { readonly form: string; readonly statement: Statement }[] {
  return text.split('\n').flatMap((line, index) =>
    line.split(/(?<=[.;!?]) /).flatMap((sentence) => {
      const said = sentence.match(figureForm)
      if (said === null || sentence.length > longestStatement) return []
      const form = sentence
        .replaceAll(figureForm, '#')
        .toLowerCase()
        .replaceAll(/[^\p{L}#]+/gu, ' ')
        .trim()
      if (form.split(' ').filter((word) => word !== '#').length < 3) return []
      return [
        { form, statement: { figures: said.join(' '), place: { at: id, line: index + 1, text: short(sentence) } } },
      ]
    }),
  )
}
