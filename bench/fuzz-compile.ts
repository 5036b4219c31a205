import { hash } from 'node:crypto'
import { argv } from 'node:process'
import type { CompileInput, CompileResult, Item, Manifest, ManifestDecision, Pack } from '../src/core/index.ts'
import { compareCodeUnits, isPrehendError, reliefStepsOf, sectionInfo, stableJson } from '../src/core/index.ts'
import { createCompiler } from '../src/compiler/index.ts'
import { encodingTokenizer, memoCounter } from '../src/tokens/index.ts'
import { damage, someInput, someItem } from './compile-inputs.ts'
import { chancesOf } from './seeded-random.ts'

/*
 * Compiles generated inputs, valid and not: nothing throws outside the error type, nothing exceeds its budget, every
 * token and every item is accounted for, what is pinned stands whole, groups stand or fall together, what is hidden has
 * a reason and a handle, the request stands verbatim, and the same input gives the same bytes (N-28, N-29, P-003, P-033).
 *
 *   npm run -s bench -- fuzz-compile 10000      or: node bench/fuzz-compile.ts 10000 [seed]
 */

const runs = Number(argv[2] ?? 10_000)
const seed = Number(argv[3] ?? 1)
const tokenizer = memoCounter(encodingTokenizer('o200k_base'))
const sha256 = (text: string): string => hash('sha256', text)
const messageTokens = 4

const chances = chancesOf(seed)
const { chance, upTo } = chances

const failures: string[] = []
const outcomes = new Map<string, number>()
let holds = 0

function expectThat(condition: boolean, what: string, input: unknown): void {
  holds += 1
  if (condition || failures.length >= 5) return
  failures.push(`${what}\n    ${JSON.stringify(input)?.slice(0, 600)}`)
}

function checkResult(input: CompileInput, result: CompileResult): void {
  const { outcome, pack, manifest, budget } = result
  const say = (condition: boolean, what: string): void => expectThat(condition, what, input)
  const refused = outcome.kind === 'budget-exhausted' || outcome.kind === 'split-required'
  say((pack === undefined) === refused, `a pack and outcome ${outcome.kind}`)
  const ids = manifest.decisions.map(({ itemId }) => itemId)
  say(stableJson(ids) === stableJson(input.items.map(({ id }) => id)), 'one decision per item, in order')
  const packs = outcome.kind === 'paginated' ? outcome.pages : pack === undefined ? [] : [pack]
  const available = budget.windowTokens - budget.reserveTokens - budget.overheadTokens
  for (const page of packs) {
    say(page.tokens <= available, `within ${available} tokens: ${page.tokens}`)
    checkText(input, page)
  }
  if (pack === undefined) return
  checkRelief(input, manifest)
  const decided = manifest.decisions.reduce((sum, { tokens }) => sum + tokens, 0)
  say(decided + (manifest.frameTokens ?? 0) === pack.tokens, `tokens add up: ${decided}, ${pack.tokens}`)
  for (const decision of manifest.decisions) checkDecision(input, decision)
  checkFates(input, manifest)
  const spare = available - pack.tokens - keptForHandles(input, manifest)
  for (const decision of manifest.decisions) checkTools(input, decision, spare)
  const allocated = manifest.sections.reduce((sum, section) => sum + section.allocatedTokens, 0)
  say(allocated <= available, `allocations ${allocated} within ${available}`)
  for (const section of manifest.sections) {
    say(section.usedTokens <= section.allocatedTokens, `${section.section} within its allocation`)
    const asked = input.budget.sections?.find((one) => one.section === section.section)
    say(section.included <= (asked?.maxItems ?? Infinity), `${section.section} within its number of items`)
    if (section.tier < 2 || section.tier > 4) continue
    const most = Math.max(section.max, standingTokens(input, result, section.section))
    say(section.allocatedTokens <= most, `${section.section} within its maximum`)
  }
}

/** Steps of relief lower the tokens one after the other, in the order of the policy, and take no tool away. */
function checkRelief(input: CompileInput, { relief, decisions }: CompileResult['manifest']): void {
  if (relief === undefined) return
  const order = reliefStepsOf(input.policy.relief) ?? []
  const places = relief.steps.filter(({ section }) => section === undefined).map(({ step }) => order.indexOf(step))
  expectThat(
    relief.steps.every(({ tokensBefore, tokensAfter }) => tokensAfter < tokensBefore),
    'a step that lowers nothing',
    input,
  )
  expectThat(
    places.every((place, at) => place > (places[at - 1] ?? -1)),
    'steps in another order than the policy names',
    input,
  )
  for (const { section, rung, reason } of decisions)
    expectThat(section !== 'tools' || rung !== 'omitted' || reason !== 'pressure', 'relief took a tool away', input)
}

/**
 * What a conversation has sent of a section stands, and so does what joins a group of which something was sent. Beyond a share that only
 * the policy names, what belongs to one of its turns and what is pinned stands, too.
 */
function standingTokens(input: CompileInput, { manifest }: CompileResult, section: string): number {
  const { items, layout, ledger, budget } = input
  if (layout !== 'messages') return 0
  const sent = ledger?.layout === 'messages' ? ledger.entries.length : 0
  const isAsked = budget.sections?.some((one) => one.section === section) ?? false
  const groups = new Set(
    items.map((item, at) => (at < sent || (!isAsked && turnSections.has(item.section)) ? item.group : undefined)),
  )
  groups.delete(undefined)
  return manifest.decisions.reduce((sum, decision, at) => {
    const item = items[at]
    const stands = at < sent || (item?.pin === true && !isAsked) || groups.has(item?.group)
    return decision.section === section && stands ? sum + decision.tokens : sum
  }, 0)
}

const turnSections: ReadonlySet<string> = new Set(['history', 'tools'])

/** Of a section of which a payload may show no item, or in one group with something of such a section. */
function isShut({ items, layout, budget }: CompileInput, { section, group }: Item): boolean {
  if (layout === 'messages') return false
  const shut = new Set(budget.sections?.flatMap((asked) => (asked.maxItems === 0 ? [asked.section] : [])))
  return shut.has(section) || (group !== undefined && items.some((one) => one.group === group && shut.has(one.section)))
}

const frameSlack = 20

/** Tokens of a note with a handle, at most. */
const noteTokens = 30

/** A payload that can be asked for more keeps room for a note in each section that leaves something out; how long one is shows later. */
function keptForHandles({ rehydration = false, layout }: CompileInput, { sections }: Manifest): number {
  return rehydration && layout === 'payload' ? sections.filter(({ excluded }) => excluded > 0).length * noteTokens : 0
}

/** Tools are only left out for want of room, or because the request or the policy says so. */
function checkTools(
  input: CompileInput,
  { itemId, section, reason, rung, originalTokens }: ManifestDecision,
  spare: number,
): void {
  if (section !== 'tools' || rung !== 'omitted' || reason !== 'section-budget') return
  const item = input.items.find(({ id }) => id === itemId)
  if (item !== undefined && isShut(input, item)) return
  const { fractions, sections = [] } = input.policy
  const asked = [...(input.budget.sections ?? []), ...sections].some((one) => one.section === 'tools')
  const isBounded = asked || fractions !== undefined
  // Counts in the frame may turn out a little shorter than what was kept free for them.
  expectThat(
    isBounded || originalTokens + frameSlack > spare,
    `a tool of ${originalTokens} is left out of ${spare}`,
    input,
  )
}

function checkText(input: CompileInput, pack: Pack): void {
  const say = (condition: boolean, what: string): void => expectThat(condition, what, input)
  if (input.layout === 'messages') {
    const tokens = pack.entries.reduce((sum, entry) => sum + entry.tokens, 0)
    return say(tokens === pack.tokens, 'entries add up')
  }
  const schemas = pack.entries.filter(({ section }) => section === 'tools')
  const media = pack.entries.filter(({ text }) => text === '')
  const own = media.reduce((sum, { itemId }) => sum + (input.items.find(({ id }) => id === itemId)?.tokens ?? 0), 0)
  const texts = pack.messages.reduce((sum, { text }) => sum + messageTokens + tokenizer.count(text), 0)
  const sent = texts + own + schemas.reduce((sum, { text }) => sum + tokenizer.count(text), 0)
  say(sent === pack.tokens, `what is sent (${sent}) is what is counted (${pack.tokens})`)
  const last = pack.messages.at(-1)
  say(last?.role === 'user' && last.text.includes(input.frame?.request ?? ''), 'the request stands verbatim at the end')
}

const reasons = new Set<string>()

/** Where no handle can be followed, text is shortened only when the request would not fit otherwise. */
const forWantOfRoom: ReadonlySet<string> = new Set(['pressure', 'window-full', 'section-budget', 'ledger'])

function checkDecision(input: CompileInput, decision: ManifestDecision): void {
  const { rung, handle, tokens, originalTokens, reason } = decision
  reasons.add(reason)
  const whole = rung === 'full' || rung === 'lossless'
  expectThat(whole || handle !== undefined, `${rung} has a handle`, input)
  // A summary or a note on steps stands for more than the item in whose place it is.
  expectThat(tokens <= originalTokens || rung === 'summary', 'nothing grows', input)
  expectThat(rung !== 'omitted' || tokens === 0, 'what is left out costs nothing', input)
  const canHide = input.rehydration === true || decision.section === 'tools' || forWantOfRoom.has(reason)
  expectThat(canHide || whole || rung === 'omitted', `${rung} without rehydration`, input)
}

function checkFates(input: CompileInput, { decisions, summaries = [] }: Manifest): void {
  // A summary shows the messages that it replaces.
  const summarised = new Set(summaries.flatMap(({ itemIds }) => itemIds))
  const shown = new Map<string, boolean>()
  for (const [index, item] of input.items.entries()) {
    const decision = decisions[index]
    if (decision === undefined) continue
    if (item.pin === true) expectThat(decision.rung === 'full', 'what is pinned stands whole', input)
    const fixed = item.section !== 'tools' && sectionInfo(item.section).tier <= 1
    if (fixed && !isShut(input, item))
      expectThat(decision.rung !== 'omitted', `${item.section} is never left out`, input)
    // What joins a group of which a conversation has left out the rest before cannot bring that back.
    const hasBegun = input.layout === 'messages' && input.ledger !== undefined
    if (item.group === undefined || hasBegun) continue
    const fate = decision.rung !== 'omitted' || summarised.has(item.id)
    expectThat((shown.get(item.group) ?? fate) === fate, `group ${item.group} has one fate`, input)
    shown.set(item.group, fate)
  }
}

const newCompiler = () => createCompiler({ tokenizer, hash: sha256 })
const compiler = newCompiler()

function attempt(input: CompileInput): CompileResult | undefined {
  try {
    return compiler.compile(input)
  } catch (error) {
    expectThat(isPrehendError(error), `threw ${String(error)} ${(error as Error).stack?.split('\n')[1]}`, input)
    if (isPrehendError(error) && 'assertion' in error.data)
      expectThat(!/^within|once/.test(error.data.assertion), `broke its own rule: ${error.message}`, input)
    if (isPrehendError(error)) outcomes.set(error.code, (outcomes.get(error.code) ?? 0) + 1)
    return undefined
  }
}

let last: { readonly input: CompileInput; readonly result: CompileResult } | undefined

/** Now and then the next turn of the session before: its items, some more, and its ledger. */
function nextInput(): CompileInput {
  if (last === undefined || chance(0.6)) return someInput(chances)
  const { input, result } = last
  const more = Array.from({ length: upTo(4) }, (_, index) => someItem(chances, 1_000 + input.items.length + index))
  return { ...input, items: [...input.items, ...more], ledger: result.ledger }
}

for (let run = 0; run < runs; run += 1) {
  const input = nextInput()
  if (chance(0.1)) damage(input, chances)
  const result = attempt(input)
  if (result === undefined) continue
  outcomes.set(result.outcome.kind, (outcomes.get(result.outcome.kind) ?? 0) + 1)
  checkResult(input, result)
  last = { input, result }
  if (run % 10 > 0) continue
  const again = newCompiler().compile(structuredClone(input))
  expectThat(stableJson(again.manifest) === stableJson(result.manifest), 'a new compiler gives the same receipt', input)
  expectThat(stableJson(again.pack ?? null) === stableJson(result.pack ?? null), 'and the same pack', input)
}

console.log(`${runs} inputs, seed ${seed}: ${holds} checks, ${failures.length} failures`)
console.log(
  [...outcomes]
    .toSorted(([a], [b]) => compareCodeUnits(a, b))
    .map(([kind, count]) => `  ${kind.padEnd(18)} ${count}`)
    .join('\n'),
)
console.log(`  reasons: ${[...reasons].toSorted(compareCodeUnits).join(', ')}`)
for (const failure of failures) console.error(`FAIL ${failure}`)
process.exitCode = failures.length > 0 ? 1 : 0
