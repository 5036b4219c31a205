import type { Contradiction } from '../../core/index.ts'
import { directivesIn } from './directives.ts'
import type { Directive } from './directives.ts'

/** A text that gives orders, and whose it is. */
export interface OrderingText {
  /** An item's id, or a path such as `frame.request`. */
  readonly at: string
  readonly text: string
  /** Whether it is the user's own, who may change his mind. */
  readonly isUser: boolean
}

/** Orders that are looked at, and contradictions that are told of. */
const mostDirectives = 400
const mostTold = 20

interface Placed {
  readonly directive: Directive
  readonly from: OrderingText
}

/**
 * Orders that contradict each other by their words: ways of doing one thing that exclude each other, limits that leave nothing
 * between them, and the same order once forbidden. Nothing is understood: what says the opposite in other words is not found, and what
 * holds only on a condition is not looked at.
 */
export function findContradictions(texts: readonly OrderingText[]): readonly Contradiction[] {
  const found: Contradiction[] = []
  const known = new Map<string, Placed[]>()
  let count = 0
  for (const from of texts)
    for (const directive of directivesIn(from.text)) {
      if ((count += 1) > mostDirectives || found.length >= mostTold) return found
      const before = known.get(directive.about) ?? []
      const other = before.find((one) => !(one.from.isUser && from.isUser) && excludes(one.directive, directive))
      const told = other && { about: directive.about, first: placeOf(other), second: placeOf({ directive, from }) }
      if (told !== undefined && !isKnown(told, found)) found.push(told)
      known.set(directive.about, [...before, { directive, from }])
    }
  return found
}

/** The same order once forbidden is told of by what it is about, where that is known. */
function isKnown(told: Contradiction, found: readonly Contradiction[]): boolean {
  if (told.about !== 'rule') return false
  return found.some(({ first, second }) => isSame(first, told.first) && isSame(second, told.second))
}

function isSame(one: Contradiction['first'], other: Contradiction['first']): boolean {
  return one.at === other.at && one.start === other.start
}

function placeOf({ directive: { start, end }, from: { at } }: Placed): Contradiction['first'] {
  return { at, start, end }
}

function excludes(one: Directive, other: Directive): boolean {
  if (one.scope !== other.scope) return false
  if (one.choice && other.choice) return choicesExclude(one.choice, other.choice)
  if (one.range && other.range) return one.range[1] < other.range[0] || other.range[1] < one.range[0]
  return one.rule !== undefined && other.rule !== undefined && rulesExclude(one.rule, other.rule)
}

type Choice = NonNullable<Directive['choice']>
type Rule = NonNullable<Directive['rule']>

function choicesExclude(one: Choice, other: Choice): boolean {
  if (one.forbids && other.forbids) return false
  if (one.forbids) return isWithin(other.values, one.values)
  if (other.forbids) return isWithin(one.values, other.values)
  return [...one.values].every((value) => !other.values.has(value))
}

function isWithin(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  return [...some].every((value) => all.has(value))
}

/** Of the words of both orders, so many must be the same. */
const leastAlike = 0.6

/** The same order, of which one forbids what the other asks. */
function rulesExclude(one: Rule, other: Rule): boolean {
  if (one.forbids === other.forbids || one.stems[0] !== other.stems[0]) return false
  const [a, b] = [new Set(one.stems), new Set(other.stems)]
  const shared = [...a].filter((stem) => b.has(stem)).length
  return shared / (a.size + b.size - shared) >= leastAlike
}
