import { existsSync } from 'node:fs'
import { defaultPolicy } from '../compiler/index.ts'
import { didYouMean, invalidInput } from '../core/index.ts'
import type { Policy } from '../core/index.ts'
import { checkFigures, figureNames, isContent, packFigures, qualityTally, readBaseline } from '../inspect/index.ts'
import type { PackBaseline } from '../inspect/index.ts'
import { checkReport } from './check-packs-report.ts'
import type { CheckedPacks } from './check-packs-report.ts'
import { command } from './command.ts'
import { policyNames } from './diff-side.ts'
import type { Io } from './io.ts'
import { policyAt } from './policy-file.ts'
import { trafficOf } from './policy-traffic.ts'
import { parseJson, readText } from './read-text.ts'
import { writeText } from './write-text.ts'

export const checkPacksCommand = command({
  name: 'check-packs',
  about: 'pack recorded traffic and hold cost, recall and quality against a baseline; exit code 1 where any is worse',
  details: [
    'For builds: keep the baseline beside the code, and let the build fail where a change of policy or of code costs more, keeps less or packs worse than its bounds allow. --update writes the baseline anew; look at what it changes before you commit it.',
    `Figures: ${figureNames.join(', ')}.`,
  ],
  positional: { name: 'TRACE', about: 'recorded sessions, as replay takes them', least: 1, most: Infinity },
  options: {
    baseline: { type: 'text', about: 'file with the figures to compare with', placeholder: 'FILE' },
    update: { type: 'flag', about: 'write the baseline instead of comparing with it' },
    policy: { type: 'text', about: `a file, ${policyNames}`, placeholder: 'POLICY' },
    bound: {
      type: 'list',
      about: 'how far a figure may get worse, such as cost=0.02',
      placeholder: 'FIGURE=BY',
    },
    window: {
      type: 'number',
      about: 'tokens of the window that is packed for (default: a million)',
      placeholder: 'TOKENS',
      min: 1,
    },
    limit: { type: 'number', about: 'only the first N traces of each file', placeholder: 'N', min: 1 },
  },
  examples: [
    'prehend check-packs examples/session.jsonl --baseline packs.json --update',
    'prehend check-packs examples/session.jsonl --baseline packs.json --bound cost=0.02',
  ],
  async run({ options, positionals, io }) {
    const { baseline: file, update = false, bound = [], window, json = false } = options
    if (update && file === undefined) throw invalidInput('--update', 'has no file', 'Name it with --baseline FILE')
    const bounds = boundsOf(bound)
    const before = file === undefined || update ? undefined : await baselineAt(file, io)
    const policy = options.policy === undefined ? defaultPolicy : policyAt(options.policy, '--policy').policy
    const now = await packed(policy, { ...options, files: positionals, io })
    if (now === 'interrupted') return io.interrupted.reason === 'SIGTERM' ? 143 : 130
    const { baseline, spreads } = now
    if (before !== undefined && file !== undefined) requireSameTraffic(before, baseline, file)
    const checks = before && checkFigures(before.figures, baseline.figures, bounds)
    if (update && file !== undefined) await writeText('--baseline', file, `${JSON.stringify(baseline, null, 2)}\n`)
    const told = { baseline: { ...baseline, ...(window !== undefined && { windowTokens: window }) }, spreads, checks }
    io.out(json ? `${JSON.stringify(told)}\n` : checkReport(told, io.columns))
    return checks === undefined || isContent(checks) ? 0 : 1
  },
})

interface Traffic {
  readonly files: readonly string[]
  readonly window?: number
  readonly limit?: number
  readonly json?: boolean
  readonly io: Io
}

async function packed(
  policy: Policy,
  { files, window, limit, json = false, io }: Traffic,
): Promise<Pick<CheckedPacks, 'baseline' | 'spreads'> | 'interrupted'> {
  const tally = qualityTally()
  const traffic = await trafficOf([{ ...policy, measureQuality: true }], {
    files,
    situation: {},
    io,
    json,
    ...(window !== undefined && { window }),
    ...(limit !== undefined && { limit }),
    packed: ({ quality }) => quality && tally.add(quality),
  })
  if (traffic === 'interrupted') return traffic
  const [only] = traffic.policies
  if (only === undefined) throw new TypeError('a policy has a report')
  const spreads = tally.spreads()
  const { id, version } = policy
  return {
    spreads,
    baseline: {
      schema: 'prehend.check-packs/1',
      policy: { id, version },
      ...(window !== undefined && { windowTokens: window }),
      traces: traffic.traces,
      requests: traffic.requests,
      figures: packFigures(only.report, spreads),
    },
  }
}

async function baselineAt(file: string, io: Io): Promise<PackBaseline> {
  if (!existsSync(file))
    throw invalidInput('--baseline', `there is no ${file}`, 'Write it with --update, and keep it beside the code')
  return readBaseline(parseJson(await readText(file, io), file), file)
}

/** Figures of other traffic say nothing of a change. */
function requireSameTraffic(before: PackBaseline, now: PackBaseline, file: string): void {
  for (const name of ['traces', 'requests', 'windowTokens'] as const) {
    if (before[name] === now[name]) continue
    const said = `has ${before[name] ?? 'no'} ${name}, and this run ${now[name] ?? 'no'}`
    throw invalidInput(
      `${file}: ${name}`,
      said,
      'Give the same traffic, --window and --limit, or write it anew with --update',
    )
  }
}

/** Throws `invalid-input` that names the figure. */
function boundsOf(texts: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    texts.map((text) => {
      const [name = '', by = '', ...rest] = text.split('=')
      const amount = by.trim() === '' ? Number.NaN : Number(by)
      if (!figureNames.includes(name))
        throw invalidInput(
          '--bound',
          `there is no figure ${name}`,
          `${didYouMean(name, figureNames)}See --help for all`,
        )
      if (rest.length > 0 || !(amount >= 0 && amount < Infinity))
        throw invalidInput('--bound', `${text} is no bound`, 'Write FIGURE=BY with a number from 0, such as cost=0.02')
      return [name, amount]
    }),
  )
}
