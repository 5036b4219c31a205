// What a session of screenshots costs by each provider's rules. usage: node bench/screens.ts [STEPS]
import { hash } from 'node:crypto'
import { careful, createCompiler, thrifty } from '../src/compiler/index.ts'
import type { Item, Media, Policy } from '../src/core/index.ts'
import { billingProviders, countingOf, passThrough, prehend, providerRules, replayTrace } from '../src/inspect/index.ts'
import type { BillingProvider, BillingRules, Strategy, Trace } from '../src/inspect/index.ts'
import { mediaTokens, shippedCatalogue } from '../src/tokens/index.ts'
import { markdownTable } from './markdown-table.ts'

const steps = Number(process.argv[2] ?? 30)
const secondsBetween = 20
const screens = {
  '1280x800': { width: 1280, height: 800 },
  '1920x1080': { width: 1920, height: 1080 },
  'phone 1179x2556': { width: 1179, height: 2556 },
} as const
const models = {
  anthropic: 'claude-sonnet-5',
  openai: 'gpt-5.6-sol',
  deepseek: 'deepseek-chat',
  google: 'gemini-3.5-flash',
} as const satisfies Readonly<Record<BillingProvider, string>>

/** Instructions and tools of an agent that works a computer, as long as they usually are. */
const guide = Array.from({ length: 120 }, (_, rule) => `${rule + 1}. Look at the screen before and after you act.`)

type TraceMessage = Trace['requests'][number]['messages'][number]

function message(
  id: string,
  items: readonly Omit<Item, 'id' | 'section'>[],
  role: Item['role'] = 'user',
): TraceMessage {
  const section = role === 'system' ? 'role' : 'history'
  return { id, role, items: items.map((item, index): Item => ({ ...item, role, id: `${id}.${index}`, section })) }
}

/** A call and the screen that it leads to, which is another one every time. */
function stepMessages(step: number, size: Pick<Media, 'width' | 'height'>, model: string): readonly TraceMessage[] {
  const pair = { toolName: 'computer', toolCallId: `c${step}`, group: `c${step}` }
  const media: Media = { type: 'image', mimeType: 'image/png', ...size, fingerprint: `screen ${step}` }
  const action = { action: 'left_click', coordinate: [(97 * step) % 1280, (61 * step) % 800] }
  const thought = `Step ${step}: the form asks for the date, so that I click the field and look at what comes.`
  return [
    message(
      `a${step}`,
      [
        { kind: 'text', text: thought },
        { kind: 'tool-call', text: JSON.stringify(action), ...pair },
      ],
      'assistant',
    ),
    message(
      `r${step}`,
      [{ kind: 'media', text: '', media, tokens: mediaTokens(media, shippedCatalogue.info(model)), ...pair }],
      'tool',
    ),
  ]
}

function traceOf(size: Pick<Media, 'width' | 'height'>, model: string): Trace {
  const opening = [
    message('m0', [{ kind: 'instruction', text: guide.join('\n') }], 'system'),
    message('m1', [{ kind: 'text', text: 'Book the cheapest train from Bern to Milan on Friday.' }]),
  ]
  const all = Array.from({ length: steps }, (_, index) => stepMessages(index + 1, size, model))
  const requests = all.map((_, index) => ({
    messages: [...opening, ...all.slice(0, index).flat()],
    atMs: index * secondsBetween * 1000,
  }))
  return { id: 'screens', requests }
}

/** What agents of this kind do by themselves: every request shows the newest few and says so in place of the others. */
function newestOnly(kept: number): Strategy {
  const left = '[screenshot omitted]'
  return {
    name: `newest ${kept}`,
    start: (renderer) => ({
      next: ({ messages }) => {
        const shown = new Set(messages.filter(({ items }) => items.some(({ kind }) => kind === 'media')).slice(-kept))
        return messages.map((one) =>
          one.items.some(({ kind }) => kind === 'media') && !shown.has(one)
            ? renderer.withShown(one, ({ kind }) => (kind === 'media' ? left : undefined))
            : renderer.asRecorded(one),
        )
      },
      handleOf: () => undefined,
      unpacked: () => undefined,
    }),
  }
}

function packedBy(name: string, policy: Policy, { prices, tokenizer }: BillingRules): Strategy {
  const openCompiler = () => createCompiler({ tokenizer, hash: (text) => hash('sha256', text, 'hex') })
  const making = { types: ['image'] } as const
  return prehend({
    name,
    policy,
    prices,
    openCompiler,
    windowTokens: 1_000_000,
    chargeTool: 'always',
    making,
  })
}

/** As an agent does that points at elements by their names: each screen at no more than 1,000 tokens. */
function smaller(policy: Policy): Policy {
  return { ...policy, id: `${policy.id}-smaller`, media: { images: { mostTokens: 1000, pointedAt: true } } }
}

function strategiesOf(rules: BillingRules): readonly Strategy[] {
  return [
    passThrough(),
    newestOnly(3),
    packedBy('careful', careful, rules),
    packedBy('thrifty', thrifty, rules),
    packedBy('careful, smaller', smaller(careful), rules),
    packedBy('thrifty, smaller', smaller(thrifty), rules),
  ]
}

const rows = billingProviders.flatMap((provider) =>
  Object.entries(screens).map(([name, size]) => {
    const rules = providerRules(provider)
    const trace = traceOf(size, models[provider])
    const figures = strategiesOf(rules).map((strategy) => {
      const options = {
        ...countingOf(rules),
        openCache: rules.openCache,
        outputPrice: rules.outputPrice,
        clock: () => 0,
      }
      return { name: strategy.name, ...replayTrace(trace, strategy, options) }
    })
    const all = figures[0]?.cost ?? 1
    const dollars = rules.inputDollars === undefined ? 'n/a' : ((all * rules.inputDollars) / 1e6).toFixed(3)
    const costs = figures.slice(1).map(({ name: by, cost, breaks }) => [by, `${(cost / all).toFixed(3)} (${breaks})`])
    return {
      'rules': provider,
      'screen': name,
      'as it comes, $': dollars,
      ...(Object.fromEntries(costs) as Record<string, string>),
    }
  }),
)
console.log(
  `${steps} steps, a screenshot each, ${secondsBetween} s apart; cost against sending everything (breaks of the cache)\n`,
)
console.log(markdownTable(rows))
