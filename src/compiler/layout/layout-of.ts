import type { CachePrices, CompileInput, OverflowPolicy, PayloadMarkup, Section } from '../../core/index.ts'
import { compareCodeUnits, invalidInput, isEpisode, isKnownSection, reliefStepsOf } from '../../core/index.ts'
import { boundaryOf } from '../../defense/index.ts'
import type { OpenConversation } from '../epochs/index.ts'
import type { LadderSetting } from '../items/form-reader.ts'
import { plainWriting } from '../forms/form.ts'
import type { Writing } from '../forms/form.ts'
import type { Candidate } from '../items/candidate.ts'
import { handleFrom } from '../items/item-keys.ts'
import { isBodiless } from '../items/read-candidates.ts'
import type { LinkedItems } from '../items/linked-items.ts'
import type { CandidateList } from '../items/read-candidates.ts'
import { focusWords } from '../items/words.ts'
import { overflowOf } from '../overflow/overflow-of.ts'
import { heldCut } from '../stages/held-cut.ts'
import type { Assembly } from '../stages/assemble.ts'
import type { Constancy } from '../stages/compress-input.ts'
import { mediaWish } from '../shrink/arriving-media.ts'
import { boundedMarkup } from './bounded-markup.ts'
import { labelledMarkup } from './labelled-markup.ts'
import { messagesAssembly } from '../stages/assemble-messages.ts'
import { possibleLines } from './link-lines.ts'
import { namedItems } from './named-items.ts'
import { markups } from './payload.ts'
import type { LayoutParts } from './layout-parts.ts'

/** What a layout is: how a request is written, and what becomes of bytes that a provider's cache holds. */
export interface LayoutPlan {
  readonly assembly: Assembly
  /** Of layout `payload`. */
  readonly markup?: PayloadMarkup
  /** What the sections of a payload stand between. */
  readonly boundary?: { readonly text: string; readonly epoch: number }
  /** Given the conversation's items, as indexes of candidates. */
  constancy(history: readonly number[]): Constancy
  /** What the ladders of free items depend on. */
  readonly setting: LadderSetting
  /** Tokens of an item in full, as it would stand. */
  tokensOf(candidate: Candidate): number
  /** The rest is only of layout `messages`. */
  readonly conversation?: Conversation
}

interface Conversation {
  readonly open: OpenConversation
  /** 1 for items that no request has shown yet and that the conversation can do without. */
  readonly free: Uint8Array
  /** 1 for items that the last request left out. */
  readonly omitted: Uint8Array
  /** What each item takes as the last request showed it. */
  readonly standingTokens: Float64Array
}

/** A layout is a value: a new one is a new line here. */
export function layoutOf(parts: LayoutParts, input: CompileInput, linked: LinkedItems): LayoutPlan {
  return input.layout === 'messages' ? messagesLayout(parts, input, linked.list) : payloadLayout(parts, input, linked)
}

/** Written anew for every request; of the conversation only the place of the cut is kept. */
function payloadLayout(parts: LayoutParts, input: CompileInput, linked: LinkedItems): LayoutPlan {
  const { list } = linked
  const { candidates } = list
  refusePinned(list)
  const plain = markups[markupOf(input)]
  const policy = input.policy.payload ?? {}
  const markup = namedItems(policy.labels === true ? labelledMarkup(plain) : plain)
  const boundary = boundaryFor(parts, input, candidates)
  const assembly = parts.payloadAssembly({
    frame: input.frame,
    rehydration: input.rehydration ?? false,
    others: ownSections(input),
    episodes: plain.name === 'xml' && candidates.some(({ item }) => isEpisode(item)),
    messageTokens: parts.messageTokens,
    piece: parts.piece,
    markup,
    bounded: boundary && boundedMarkup(markup, boundary.text),
    policy,
    invariants: { hash: parts.hash, situation: input.situation },
    links: linked.pairs.map((pair) => possibleLines(pair, linked.labels, input.rehydration ?? false)),
  })
  return {
    assembly,
    ...(boundary && { boundary }),
    markup: markup.name,
    constancy: (history) => ({
      kind: 'cut',
      held: input.policy.promptCache === false ? undefined : heldCut(input, candidates, history),
      cutShare: input.ledger === undefined ? 1 : input.policy.pressure.prepare,
    }),
    setting: ladderSetting(parts, input, markup),
    tokensOf: (candidate) => parts.forms.full(candidate, markup).tokens,
  }
}

/** As the session's packs are written: another markup would leave nothing of what is cached. Its first pack chooses. */
function markupOf({ markup, ledger }: CompileInput): PayloadMarkup {
  const before = ledger?.layout === 'payload' ? ledger.markup : undefined
  if (before === undefined || markup === undefined || markup === before) return before ?? markup ?? 'headers'
  const remedy = `Leave it out, give ${before}, or begin a session of its own.`
  throw invalidInput('markup', `is ${markup}, and the packs of the session are written in ${before}`, remedy)
}

/** What is pinned is shown, and a payload cannot show it. */
function refusePinned({ bodiless, candidates }: CandidateList): void {
  const index = bodiless ? candidates.findIndex(({ item }) => item.pin === true && isBodiless(item)) : -1
  if (index < 0) return
  const remedy = 'Leave out the pin, give it a text, or choose layout messages.'
  throw invalidInput(`items[${index}].pin`, 'asks for an opaque block, for which a payload has no place', remedy)
}

/**
 * The boundary of the epoch that the last pack left; it stands behind all that is cached, so that a new one costs nothing. Texts that
 * have it are compared as they came: what is shown of them is a part of that, or our own words.
 */
function boundaryFor(
  { hash }: LayoutParts,
  { boundary, ledger, frame, items }: CompileInput,
  candidates: readonly Candidate[],
): LayoutPlan['boundary'] {
  if (boundary === undefined) return undefined
  const epoch = ledger?.epoch ?? 0
  const own = JSON.stringify(frame ?? {})
  const about = JSON.stringify(items.map(({ provenance, toolName, group }) => [provenance, toolName, group]))
  const occurs = (text: string): boolean =>
    own.includes(text) ||
    about.includes(text) ||
    candidates.some(({ item }) => item.text.includes(text) || item.id.includes(text))
  const text = boundaryOf({ ...boundary, epoch, hash, occurs })
  if (text !== undefined) return { text, epoch }
  throw invalidInput('boundary.secret', 'is known: the texts hold its boundaries', 'Choose another secret.')
}

/** Sections that policy or budget name besides the ten: they have a header of their own, with items or without. */
function ownSections({ policy, budget }: CompileInput): readonly Section[] {
  const named = [...policy.shares, ...(budget.sections ?? [])].map(({ section }) => section)
  return [...new Set(named)].filter((section) => !isKnownSection(section)).toSorted(compareCodeUnits)
}

/** Used where the caller names no prices: a tenth for reading, a quarter more for writing. */
const usualPrices: CachePrices = { read: 0.1, write: 1.25, minTokens: 1024, ttlMs: 300_000 }

/** Every token costs the same, and nothing outlasts its request. */
const noCache: CachePrices = { read: 1, write: 1, minTokens: 0, ttlMs: -1 }

/** What a provider's cache is worth to a compile. */
export function pricesFor({ policy, prices = usualPrices }: Pick<CompileInput, 'policy' | 'prices'>): CachePrices {
  return policy.promptCache === false ? noCache : prices
}

/** A conversation that keeps its structure, and its bytes within an epoch. */
function messagesLayout(parts: LayoutParts, input: CompileInput, list: CandidateList): LayoutPlan {
  const { candidates } = list
  refuseUnhonoured(input)
  refuseScopes(input, list)
  const tokensOf = ({ item, memo }: Candidate): number => item.tokens ?? (memo.tokens ??= parts.itemTokens(item))
  const tokens = candidates.map(tokensOf)
  const step = [input.frame?.step ?? '', input.frame?.state?.phase ?? ''].join('\n').trim()
  const open = parts.openConversation({
    items: candidates.map(({ item }) => item),
    tokens,
    contentHashes: candidates.map(({ contentHash }) => contentHash),
    dressOf: (index) => candidates[index]?.dress,
    arrivalOf(index) {
      const { item, whole, artifact } = candidates[index] ?? {}
      return item?.kind === 'media' || artifact !== undefined ? whole : undefined
    },
    media: mediaWish(input),
    standAlone: list.standAlone,
    standsWhole: (index) => candidates[index]?.isReferredTo === true,
    proseOf: (index) => candidates[index]?.prose,
    overheadTokens: input.budget.overheadTokens ?? 0,
    ownTokens: input.budget.ownTokens ?? 0,
    offerTokens: input.rehydration === true ? input.budget.offerTokens : undefined,
    policy: input.policy,
    ledger: input.ledger,
    step: step === '' ? undefined : parts.hash(step).slice(0, 16),
    nowMs: input.nowMs,
    prices: pricesFor(input),
    editing: input.editing,
    sessionLengths: input.sessionLengths,
    tenantCredit: input.tenantCredit,
    compaction: input.compaction,
    handleKey: input.handleKey ?? '',
    hiddenTools: input.hiddenTools,
    rehydration: input.rehydration ?? false,
    summaries: input.summaries,
  })
  const free = freeItems(candidates, open.held)
  const mayFillUp = hidesNothing.has(overflowOf(input))
  return {
    assembly: messagesAssembly,
    constancy: () => ({ kind: 'epochs', conversation: open, free, capped, mayFillUp }),
    setting: ladderSetting(parts, input, plainWriting),
    tokensOf: (candidate) => candidate.whole?.tokens ?? tokensOf(candidate),
    conversation: {
      open,
      free,
      ...standing(open.held, tokens),
    },
  }
}

/** They send a conversation whole, in one request or on pages, or not at all. */
const hidesNothing: ReadonlySet<OverflowPolicy> = new Set<OverflowPolicy>(['fail-loud', 'paginate'])

/** How the items stood in the last request; what is new takes all that it has. */
function standing(
  held: OpenConversation['held'],
  tokens: readonly number[],
): Pick<Conversation, 'omitted' | 'standingTokens'> {
  const omitted = new Uint8Array(tokens.length)
  const standingTokens = Float64Array.from(tokens)
  for (let index = 0; index < tokens.length; index += 1) {
    const rendition = held[index]
    if (rendition === undefined) continue
    standingTokens[index] = rendition.tokens
    if (rendition.rung === 'omitted') omitted[index] = 1
  }
  return { omitted, standingTokens }
}

/** Sections whose items a conversation can shorten to keep a maximum. */
const capped: ReadonlySet<Section> = new Set<Section>(['history', 'tools'])

/** Sections of which a conversation is made. */
const structural: ReadonlySet<Section> = new Set<Section>([
  'policy',
  'role',
  'task',
  'tools',
  'history',
  'query',
  'reserve',
])

/** 1 for what was collected besides the conversation and has not been sent yet, nor anything of its group. */
function freeItems(candidates: readonly Candidate[], held: OpenConversation['held']): Uint8Array {
  const isSent = ({ item }: Candidate, index: number): boolean =>
    held[index] !== undefined || structural.has(item.section)
  const sentGroups = new Set<string | undefined>()
  candidates.forEach((candidate, index) => {
    if (held[index]?.rung !== 'omitted' && isSent(candidate, index)) sentGroups.add(candidate.item.group)
  })
  sentGroups.delete(undefined)
  const free = new Uint8Array(candidates.length)
  candidates.forEach((candidate, index) => {
    if (!isSent(candidate, index) && !sentGroups.has(candidate.item.group)) free[index] = 1
  })
  return free
}

/** What a conversation cannot do it does not pretend to do. */
function refuseUnhonoured(input: CompileInput): void {
  const { markup } = input
  if (markup !== undefined)
    throw invalidInput('markup', 'is of layout payload', 'Leave it out, or choose layout payload.')
  if (input.boundary !== undefined)
    throw invalidInput('boundary', 'is of layout payload', 'Leave it out, or choose layout payload.')
  for (const [index, { section, mostRemoved }] of (input.budget.sections ?? []).entries()) {
    if (capped.has(section) && mostRemoved !== undefined)
      throw invalidInput(
        `budget.sections[${index}].mostRemoved`,
        'is of layout payload',
        'Leave it out, or choose layout payload.',
      )
  }
}

/** A conversation stands as it was said: nothing of it is private to a part of it. */
function refuseScopes({ scope }: CompileInput, { scoped, candidates }: CandidateList): void {
  const remedy = 'Leave it out, or choose layout payload.'
  if (scope?.tools !== undefined) throw invalidInput('scope.tools', 'is of layout payload', remedy)
  const index = scoped ? candidates.findIndex(({ item }) => item.scope !== undefined) : -1
  if (index >= 0) throw invalidInput(`items[${index}].scope`, 'is of layout payload', remedy)
}

function ladderSetting({ hash, settingKey }: LayoutParts, input: CompileInput, writing: Writing): LadderSetting {
  const { frame, rehydration = false, handleKey = '', hiddenTools = [] } = input
  const words = focusWords(frame)
  const examples = reliefStepsOf(input.policy.relief)?.includes('tool-examples') === true
  const { toolSchemas: schemas, coreTools, losslessForms = true } = input.policy
  const media = mediaWish(input)
  const key = `${media === undefined ? '' : JSON.stringify(media)}${writing.name} ${rehydration} ${examples} ${schemas} ${losslessForms} ${handleKey} ${hiddenTools.join(' ')} ${words.join(' ')}`
  return {
    asked: {
      focus: new Set(words),
      hiddenTools,
      ...(examples && { examples }),
      ...(schemas && { schemas }),
      ...(!losslessForms && { losslessForms }),
      ...(!rehydration && { unhandled: true }),
    },
    rehydration,
    handleKey,
    coreTools,
    media,
    writing,
    key: settingKey(key),
    handleOf({ contentHash, memo }) {
      if (memo.handle?.key !== handleKey)
        memo.handle = { key: handleKey, handle: handleFrom(hash, handleKey, contentHash) }
      return memo.handle.handle
    },
  }
}
