import { billingRuleNames, countingOf, replay, strategiesNamed } from '../inspect/index.ts'
import { replaySelections, selectionTable } from './replay-selections.ts'
import type { Trace } from '../inspect/index.ts'
import type { ToolCharge } from '../inspect/index.ts'
import { existsSync } from 'node:fs'
import { invalidInput } from '../core/index.ts'
import { command } from './command.ts'
import type { Io } from './io.ts'
import { foundSessionsText, foundToReplay } from './found-sessions.ts'
import { holdsRequests } from './recognised.ts'
import { extensionOptions, withExtensions } from './command-extensions.ts'
import { compilingWith } from './compiling.ts'
import { prehendStrategies, strategyPolicies } from './prehend-strategies.ts'
import { feed, rulesOf } from './replay-feed.ts'
import { reportTable } from './replay-table.ts'

export const replayCommand = command({
  name: 'replay',
  about: 'send recorded traffic through pass-through, Prehend and other strategies, and compare the bills',
  details: [
    'Without a TRACE it shows the newest sessions of agents on this machine. A trace is a file of recorded traffic: request bodies of any dialect, batch files, sessions of coding agents, HAR, or exports of Langfuse, LangSmith, Helicone, LiteLLM and OpenTelemetry. Its form is recognised from its content; docs/files.md lists them. Needles are read from X.needles.jsonl beside X.jsonl. Without that file, needles of the sessions of agents are found in their messages; for other traces, what they measure is n/a. Sessions without an answer are left out.',
    'Bills by the model that the first trace names, unless --provider or --model says otherwise: its prices, its cache simulated, with minimum sizes, breakpoints and lifetimes, and its counts of tool definitions, media and what frames messages, calls and results. Where no model is named or known the plain rule holds, as with --provider plain: leading messages that are identical to those of the request before cost the read price, everything else the write price, and nothing is framed.',
    'Prehend pays for its own tool definition, in every request. Settled cost adds the cost of fetching every missing line that an answer needed, for lines that only tool output had shown. Settled all also adds lines that only calls of the agent had, and lines that its edits quote.',
    'What providers do themselves is a strategy too, where it is named: clear-tool-uses-TRIGGER-KEEP (Anthropic), and compact-TRIGGER-SUMMARY (Anthropic, OpenAI), whose summary counts as its tokens, and for recall as nothing.',
  ],
  positional: { name: 'TRACE', about: 'files of recorded traffic', least: 0, most: Number.POSITIVE_INFINITY },
  options: {
    'provider': {
      type: 'text',
      about: 'bill by the price and cache rules of this provider',
      choices: billingRuleNames,
    },
    'model': {
      type: 'text',
      about: 'count, price and cache for this model',
      placeholder: 'MODEL',
    },
    'price-read': {
      type: 'number',
      about: 'price of a cached token, in input tokens',
      placeholder: 'X',
      min: 0,
      max: 10,
    },
    'price-write': {
      type: 'number',
      about: 'price of a token written to the cache',
      placeholder: 'X',
      min: 0,
      max: 10,
    },
    'strategy': {
      type: 'list',
      about: 'only these strategies, e.g. keep-last-5, prehend:tiers or prehend:house.json, a policy by name or file',
      placeholder: 'NAME',
    },
    'window': {
      type: 'number',
      about:
        'tokens of the window: Prehend packs for it (default: a million), and larger requests of any strategy count as refused',
      placeholder: 'TOKENS',
      min: 1,
    },
    'find-needles': {
      type: 'flag',
      about: "find needles in the messages of every trace without a needle file, not only of agents' sessions",
    },
    'charge-tool': {
      type: 'text',
      about: "when Prehend pays for its tool definition: always, where the agent's own are recorded, or never",
      choices: ['always', 'recorded', 'never'],
      default: 'always',
      placeholder: 'WHEN',
    },
    'wide': {
      type: 'flag',
      about:
        'all columns of the table: cached share, breaks, median and worst sessions, settled cost, own calls, times',
    },
    'reading': {
      type: 'flag',
      about:
        'a second table: recall by age, edits in one piece, ambiguous references, hidden failures, what is read again',
    },
    'caching': {
      type: 'flag',
      about: 'another table: the share of the input cost that the cache saves, against the same requests without any',
    },
    'bill': {
      type: 'flag',
      about:
        'another table: the whole bill with answers and hidden rounds, by size of the session, and where savings are from',
    },
    'selections': {
      type: 'flag',
      about: 'instead: what the sessions would cost by each way to select their tools, searches included',
    },
    'tools': {
      type: 'text',
      about: 'the tools that all sessions have, as a file of definitions (implies --selections)',
      placeholder: 'FILE',
    },
    'limit': {
      type: 'number',
      about: 'only the first N traces of each file',
      placeholder: 'N',
      min: 1,
    },
    'skip-invalid': { type: 'flag', about: 'pass over lines that cannot be read, and count them' },
    ...extensionOptions,
  },
  examples: [
    'prehend replay examples/session.jsonl',
    'prehend replay ~/.claude/projects/*/*.jsonl',
    'prehend replay traffic.jsonl --provider anthropic --strategy pass-through,prehend:careful --json',
  ],
  async run({ options, positionals, io }) {
    await requireFiles(positionals, io)
    const rules = await rulesOf(options, positionals)
    const feeding = {
      files: positionals,
      limit: options.limit,
      findNeedles: options['find-needles'] === true,
      skipInvalid: options['skip-invalid'] === true,
      io,
      quiet: options.json === true,
    }
    const interrupted = (): number => (io.interrupted.reason === 'SIGTERM' ? 143 : 130)
    if (options.selections === true || options.tools !== undefined) {
      const traces: Trace[] = []
      const { whole } = await feed({ add: (trace) => void traces.push(trace) }, feeding)
      const asked = { traces, file: options.tools, rules, model: options.model, io, quiet: options.json === true }
      const report = whole ? await replaySelections(asked) : undefined
      if (!report) return interrupted()
      io.out(options.json === true ? `${JSON.stringify(report)}\n` : selectionTable(report, io.columns))
      return 0
    }
    return withExtensions(options, async (extensions) => {
      const run = replay({
        strategies: strategiesNamed(
          options.strategy,
          await prehendStrategies(rules, {
            chargeTool: options['charge-tool'] as ToolCharge,
            policies: strategyPolicies(options.strategy),
            windowTokens: options.window,
            extras: compilingWith(extensions).extras,
          }),
        ),
        provider: rules.name,
        inputDollars: rules.inputDollars,
        ...countingOf(rules),
        openCache: rules.openCache,
        prices: rules.prices,
        outputPrice: rules.outputPrice,
        windowTokens: options.window,
        clock: () => performance.now(),
      })
      const { whole, skipped, unanswered } = await feed(run, feeding)
      if (!whole) return interrupted()
      const report = { ...run.report(), skipped, unanswered }
      io.out(
        options.json === true
          ? `${JSON.stringify(report)}\n`
          : reportTable(report, {
              width: io.columns,
              wide: options.wide === true,
              reading: options.reading === true,
              caching: options.caching === true,
              bill: options.bill === true,
            }),
      )
      return 0
    })
  },
})

/** Shows what could be replayed where no file is named, or one that is not there. */
async function requireFiles(files: readonly string[], io: Io): Promise<void> {
  if (files.length > 0 && files.every((file) => existsSync(file))) return
  io.err(foundSessionsText(await foundToReplay(io.environment, holdsRequests)))
  if (files.length === 0) throw invalidInput('TRACE', 'is missing', 'Name a file of recorded traffic')
}
