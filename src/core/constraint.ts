import type { Authority } from './section.ts'

export const constraintStrengths = ['hard', 'soft'] as const
export const constraintPolarities = ['positive', 'negative'] as const
export const constraintOrigins = ['explicit', 'implicit'] as const

/** What a reply can be held against by a machine. */
export interface ReplyCheck {
  /** Texts of which all must stand in it. */
  readonly contains?: readonly string[]
  /** Texts of which none may. */
  readonly lacks?: readonly string[]
  readonly maxChars?: number
}

/** Something that must hold of a step or its reply. */
export interface Constraint {
  readonly text: string
  /** Hard ones must hold whatever happens; soft by default. */
  readonly strength?: (typeof constraintStrengths)[number]
  /** `positive` names what is allowed, `negative` takes from it; neither by default. */
  readonly polarity?: (typeof constraintPolarities)[number]
  /** Whether somebody has said it, or it was concluded; explicit by default. */
  readonly origin?: (typeof constraintOrigins)[number]
  /** Who says so; the developer by default. What a tool says binds nobody. */
  readonly authority?: Authority
  /** What it is about: of several about the same, the highest authority's holds, and of one authority's the last. */
  readonly about?: string
  /** Holds beside others about the same. */
  readonly adds?: boolean
  /** Of soft ones: when it may give way. */
  readonly relaxWhen?: string
  readonly check?: ReplyCheck
}

/** What holds of several constraints, and what does not because another goes before it; both in their order. */
export interface ResolvedConstraints {
  readonly inForce: readonly Constraint[]
  readonly overruled: readonly Constraint[]
}

const ranks: Readonly<Record<Authority, number>> = { system: 3, developer: 2, user: 1, tool: 0 }

/**
 * Which constraints hold: system before developer before user; of one authority the last about a thing, unless they add up; nothing that
 * a tool says. Hard ones go before soft ones of their authority, and what was said before what was concluded. What a negative one
 * forbids, no positive one of its authority or a lower one allows.
 */
export function resolveConstraints(given: readonly (string | Constraint)[]): ResolvedConstraints {
  const all = given.map(asConstraint)
  const binding = all.filter((one) => rankOf(one) > 0)
  const best = new Map<string, Constraint>()
  const highest = new Map<string, number>()
  const forbidden = new Map<string, number>()
  for (const one of binding) {
    if (one.polarity === 'negative') {
      const words = wordsOf(one)
      forbidden.set(words, Math.max(forbidden.get(words) ?? 0, rankOf(one)))
    }
    const { about } = one
    if (about === undefined) continue
    highest.set(about, Math.max(highest.get(about) ?? 0, rankOf(one)))
    if (one.adds === true) continue
    const before = best.get(about)
    if (before === undefined || weightOf(one) >= weightOf(before)) best.set(about, one)
  }
  const holds = (one: Constraint): boolean => {
    if (rankOf(one) === 0) return false
    if (one.polarity === 'positive' && (forbidden.get(wordsOf(one)) ?? 0) >= rankOf(one)) return false
    if (one.about === undefined) return true
    return rankOf(one) === highest.get(one.about) && (one.adds === true || one === best.get(one.about))
  }
  return { inForce: all.filter(holds), overruled: all.filter((one) => !holds(one)) }
}

export function asConstraint(given: string | Constraint): Constraint {
  return typeof given === 'string' ? { text: given } : given
}

function rankOf({ authority = 'developer' }: Constraint): number {
  return ranks[authority]
}

function weightOf(one: Constraint): number {
  return 4 * rankOf(one) + (one.strength === 'hard' ? 2 : 0) + (one.origin === 'implicit' ? 0 : 1)
}

function wordsOf({ text }: Constraint): string {
  return text.trim().toLowerCase()
}

const leads = { positive: 'Allowed: ', negative: 'Never: ' } as const

/** A constraint in one line. */
export function constraintLine({ text, polarity, strength, relaxWhen }: Constraint): string {
  const lead = polarity === undefined ? '' : leads[polarity]
  const relaxing = strength === 'hard' || relaxWhen === undefined ? '' : ` (may give way: ${relaxWhen})`
  return `${lead}${text}${relaxing}`
}

/** A constraint that a reply breaks, and how. */
export interface ConstraintViolation {
  readonly constraint: Constraint
  /** `refuse` for hard ones: the reply must not be used. */
  readonly action: 'refuse' | 'warn'
  readonly message: string
}

/** What a reply says, told apart as constraints look at it. */
export interface ReplyWords {
  /** What it ends in: one for each choice that calls no tools. */
  readonly answers: readonly string[]
  /** All else: what it says to itself, to tools, and on its way to an answer. */
  readonly besides: readonly string[]
}

/** What a reply says to its reader, and what it says to tools: of calls the arguments, as they are written. */
export interface ReplySaid {
  readonly texts: readonly string[]
  readonly calls: readonly string[]
}

/**
 * What a reply breaks of the constraints that hold; only those with a `check` are looked at. What must be lacking may stand nowhere in
 * it; all else is asked of each of its answers. A text is one answer.
 */
export function constraintViolations(
  reply: string | ReplyWords,
  constraints: readonly (string | Constraint)[],
): readonly ConstraintViolation[] {
  const words = typeof reply === 'string' ? { answers: [reply], besides: [] } : reply
  return resolveConstraints(constraints).inForce.flatMap((constraint) => {
    const message = constraint.check && faultOf(words, constraint.check)
    if (message === undefined) return []
    return [{ constraint, action: constraint.strength === 'hard' ? ('refuse' as const) : ('warn' as const), message }]
  })
}

function faultOf(
  { answers, besides }: ReplyWords,
  { contains = [], lacks = [], maxChars = Infinity }: ReplyCheck,
): string | undefined {
  const missing = contains.filter((text) => answers.some((answer) => !answer.includes(text)))
  if (missing.length > 0) return `Does not contain ${missing.map((text) => JSON.stringify(text)).join(', ')}.`
  const present = lacks.find((text) => [...answers, ...besides].some((said) => said.includes(text)))
  if (present !== undefined) return `Contains ${JSON.stringify(present)}.`
  const long = answers.find(({ length }) => length > maxChars)
  return long === undefined ? undefined : `Has ${long.length} characters of ${maxChars}.`
}
