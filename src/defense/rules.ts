import type { InjectionReason } from '../core/index.ts'
import { concepts } from './concepts.ts'
import type { Concept } from './concepts.ts'

/** Concepts that stand close together in one sentence, in any order, and what that says. */
export interface Rule {
  readonly reason: InjectionReason
  /** In (0, 1). */
  readonly weight: number
  readonly needs: readonly number[]
  /** The concept that a "not" must not stand before. */
  readonly asked: number
  /** Words between the first and the last of them, at most. */
  readonly within: number
}

type Line = readonly [needs: string, weight: number, within: number]

const lines: { readonly [Reason in InjectionReason]?: readonly Line[] } = {
  'override': [
    ['override rules before', 0.85, 8],
    ['override rules yours', 0.75, 6],
    ['override rules all', 0.45, 5],
    ['override rules model', 0.6, 6],
    ['override rules', 0.3, 4],
    ['override all told', 0.65, 8],
    ['override all before', 0.55, 5],
    ['override before told', 0.6, 8],
    ['override system prompt', 0.6, 6],
    ['override user task', 0.7, 6],
    ['override user', 0.3, 4],
    ['override all praise', 0.4, 12],
    ['override task', 0.25, 6],
    ['stop follow rules', 0.75, 6],
    ['not follow rules', 0.45, 6],
    ['new rules void', 0.45, 8],
    ['rules before void', 0.55, 8],
    ['rules yours void', 0.65, 8],
    ['new yours task', 0.45, 5],
    ['obey must you', 0.35, 6],
  ],
  'role-play': [
    ['you now free', 0.8, 8],
    ['become free', 0.65, 6],
    ['free model', 0.5, 4],
    ['you free', 0.3, 6],
    ['free not', 0.3, 5],
    ['you not limits', 0.55, 8],
    ['not limits model', 0.55, 8],
    ['not limits become', 0.65, 12],
    ['not limits must', 0.35, 10],
    ['from now you', 0.3, 5],
    ['become model', 0.3, 6],
    ['become admin', 0.45, 6],
    ['mode maker', 0.35, 3],
    ['you now mode', 0.4, 8],
    ['limits all void', 0.6, 8],
    ['limits void', 0.35, 8],
  ],
  'exfiltration': [
    ['reveal system prompt', 0.7, 7],
    ['reveal yours prompt', 0.6, 7],
    ['reveal yours rules', 0.5, 6],
    ['reveal all before', 0.4, 8],
    ['reveal hide rules', 0.5, 6],
    ['reveal secret now', 0.45, 6],
    ['send talk address', 0.7, 20],
    ['send secret address', 0.65, 20],
    ['send secret user', 0.45, 10],
    ['send talk', 0.3, 8],
    ['send secret', 0.25, 8],
    ['reveal prompt model', 0.4, 8],
    ['send talk tell', 0.5, 20],
    ['secret not ask', 0.4, 20],
    ['reveal secret user', 0.35, 8],
  ],
  'tool-order': [
    ['call not ask', 0.5, 10],
    ['call not tell', 0.4, 10],
    ['call must model', 0.35, 10],
    ['call must command', 0.35, 10],
    ['command not tell', 0.5, 16],
    ['command model', 0.4, 12],
    ['call all must', 0.25, 8],
    ['call talk send', 0.4, 16],
    ['call must talk', 0.45, 16],
    ['not ask', 0.15, 4],
  ],
  'concealment': [
    ['not tell user', 0.5, 6],
    ['not tell this', 0.4, 5],
    ['hide this rules', 0.4, 6],
    ['hide this user', 0.4, 8],
    ['hide from user', 0.4, 4],
  ],
  'addresses-model': [
    ['note model', 0.15, 3],
    ['if you model', 0.3, 6],
    ['model must', 0.15, 4],
    ['note model override', 0.6, 10],
    ['note model not', 0.35, 10],
    ['note model send', 0.4, 10],
    ['if model praise', 0.55, 20],
    ['note model praise', 0.5, 20],
    ['if model send', 0.5, 20],
    ['if model tell', 0.4, 16],
    ['if model override', 0.6, 16],
    ['if model reveal', 0.45, 20],
    ['yours response tell', 0.4, 8],
    ['yours response address', 0.4, 20],
    ['yours response must', 0.25, 8],
  ],
  'forged-authority': [
    ['maker yours system', 0.5, 12],
    ['maker yours rules', 0.45, 12],
    ['admin yours rules', 0.45, 10],
    ['admin limits void', 0.6, 12],
    ['admin verified must', 0.45, 12],
    ['admin override', 0.4, 3],
    ['priority rules', 0.4, 8],
    ['admin not ask', 0.35, 12],
    ['note admin limits', 0.4, 12],
    ['verified you maker', 0.4, 8],
  ],
}

const numbers = new Map<string, number>(concepts.map((concept: Concept, number) => [concept, number]))

/** Reasons of which it is no order where it is forbidden: never reveal, do not ignore. */
const isForbidden: ReadonlySet<string> = new Set<InjectionReason>(['override', 'exfiltration'])

function ruleOf(reason: InjectionReason, [needs, weight, within]: Line): Rule {
  const named = needs.split(' ').map((name) => {
    const number = numbers.get(name)
    if (number === undefined) throw new TypeError(`no concept ${name}`)
    return number
  })
  const [asked = 0] = isForbidden.has(reason) ? named : [-1]
  return { reason, weight, within, needs: named, asked }
}

const rules = Object.entries(lines).flatMap(([reason, own]) =>
  own.map((line) => ruleOf(reason as InjectionReason, line)),
)

/** The rules that a concept has a part in, by its number. */
export const rulesOf: readonly (readonly Rule[])[] = concepts.map((_, number) =>
  rules.filter(({ needs }) => needs.includes(number)),
)

export const notConcept = concepts.indexOf('not')
export const metaConcept = concepts.indexOf('meta')
export const addressConcept = concepts.indexOf('address')
