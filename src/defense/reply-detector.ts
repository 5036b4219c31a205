import type { InjectionContext, InjectionDetector, InjectionScore } from '../core/index.ts'
import { chance } from './chance.ts'
import { heuristicDetector } from './heuristic-detector.ts'
import { suspectedPassages } from './suspected-passages.ts'
import type { SuspectedPassages } from './suspected-passages.ts'
import { tellingWords } from './telling-words.ts'

/** What a reply is held against: the texts of the request that it answers, by who speaks in them. */
export interface ReplyGround {
  /** Results of tools, evidence, memory. */
  readonly untrusted: readonly string[]
  /** Instructions, and the words of users. */
  readonly trusted: readonly string[]
}

/** Options of `replyDetector`. */
export interface ReplyDetectorOptions {
  /** Says which of the untrusted texts hold orders. */
  readonly detector?: InjectionDetector
  /** From which score on it does, in [0, 1]. */
  readonly threshold?: number
}

/** Why a reply is suspected to follow orders that data gave. */
export type ReplyReason = 'done-as-told' | 'said-as-told' | 'sent-away'

const weights: Readonly<Record<ReplyReason, number>> = { 'done-as-told': 0.9, 'said-as-told': 0.9, 'sent-away': 0.8 }

/**
 * Scores what a model answers: whether it does or says what only suspected data ask for. Of calls (`kind` `tool-call`, the text is
 * their arguments) those that name an address or a command that stands in a suspected passage and nowhere else; of texts those that
 * are what a passage has in quotation marks, and pictures and links that lead to an address of one, or carry words to a host that
 * nothing named. Who only speaks of such an order is not suspected. It knows no meaning: an order that is followed in
 * words of its own passes.
 */
export function replyDetector(ground: ReplyGround, options: ReplyDetectorOptions = {}): InjectionDetector {
  const { detector = heuristicDetector, threshold = 0.5 } = options
  let told: Told | undefined
  return {
    id: `prehend-reply/1 ${detector.id}`,
    score(text, context) {
      told ??= toldBy(ground, suspectedPassages(ground.untrusted, detector, threshold))
      return scored(reasonsFor(text, context, told))
    },
  }
}

interface Told {
  /** What only suspected passages say. */
  readonly addresses: readonly string[]
  readonly quoted: readonly string[]
  /** Whether anybody has said it, in lower case. */
  isSaid(word: string): boolean
}

function toldBy({ untrusted, trusted }: ReplyGround, { suspected, rest }: SuspectedPassages): Told {
  const inTrusted = saying(trusted)
  const inUntrusted = saying(untrusted)
  const inRest = saying(rest)
  const isTold = (word: string): boolean => !inTrusted(word) && !inRest(word)
  const words = suspected.map(tellingWords)
  return {
    addresses: words.flatMap(({ addresses }) => addresses).filter(isTold),
    quoted: words.flatMap(({ quoted }) => quoted).filter(isTold),
    isSaid: (word) => inTrusted(word) || inUntrusted(word),
  }
}

/** Whether one of the texts says a word; they are put in lower case once, when that is first asked. */
function saying(texts: readonly string[]): (word: string) => boolean {
  let lower: readonly string[] | undefined
  return (word) => (lower ??= texts.map((text) => text.toLowerCase())).some((text) => text.includes(word))
}

function reasonsFor(text: string, { kind }: InjectionContext, told: Told): readonly ReplyReason[] {
  const said = text.toLowerCase()
  if (kind === 'tool-call') return isDone(said, told) ? ['done-as-told'] : []
  return [
    ...(isSaid(said, told) ? (['said-as-told'] as const) : []),
    ...(links(said).some((link) => isAway(link, told)) ? (['sent-away'] as const) : []),
  ]
}

function isDone(said: string, { addresses, quoted }: Told): boolean {
  return [...addresses, ...quoted.filter(isCommand)].some((part) => said.includes(part))
}

/** Single words and dates stand between quotation marks in any data, and in any arguments. */
function isCommand(part: string): boolean {
  return part.length >= shortestCommand && /\w\s+\S/.test(part)
}

const shortestCommand = 12

/** What follows the words that it was told to say, at most: an answer that goes on is more than an echo. */
const mostBesides = 40

function isSaid(said: string, { quoted }: Told): boolean {
  const answer = bare(said)
  return quoted.some((part) => {
    const words = bare(part)
    return words.length >= 3 && answer.startsWith(words) && answer.length - words.length <= mostBesides
  })
}

function bare(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()
}

interface Link {
  readonly host: string
  /** What follows the host. */
  readonly rest: string
  readonly isPicture: boolean
}

function links(said: string): readonly Link[] {
  return Array.from(said.matchAll(/(!?)\[[^\]\n]{0,200}\]\(\s{0,9}https?:\/\/([\w.-]{3,253})([^\s)]{0,2000})/g)).map(
    ([, mark, host = '', rest = '']) => ({ host, rest, isPicture: mark === '!' }),
  )
}

/** Less than that carries no words of a conversation. */
const shortestLoad = 24

/** A picture is fetched without anybody's doing: what its address says beyond what somebody has said leaves with it. */
function isAway({ host, rest, isPicture }: Link, { addresses, isSaid: isKnown }: Told): boolean {
  if (addresses.includes(host)) return true
  return isPicture && rest.length >= shortestLoad && rest.includes('?') && !isKnown(host)
}

function scored(reasons: readonly ReplyReason[]): InjectionScore {
  return { score: chance(reasons.map((reason) => weights[reason])), reasons }
}
