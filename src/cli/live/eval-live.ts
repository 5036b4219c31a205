import { defaultPolicy } from '../../compiler/index.ts'
import { sha256 } from '../../host/index.ts'
import { PrehendError, invalidInput } from '../../core/index.ts'
import type { Policy } from '../../core/index.ts'
import { countsAsResult, trialOrder, trialReport } from '../../inspect/index.ts'
import type { Trial } from '../../inspect/index.ts'
import { priceOf, tokenizerFor } from '../../tokens/index.ts'
import type { Io } from '../io.ts'
import { policyAt } from '../policy-file.ts'
import { progress } from '../progress.ts'
import type { LiveOptions } from './live-options.ts'
import { liveProvider } from './live-provider.ts'
import type { LiveReport } from './live-report.ts'
import { liveProgress, liveTable } from './live-table.ts'
import { openLiveModel } from './live-upstreams.ts'
import type { LiveModel } from './live-upstreams.ts'
import { playTrial } from './play-trial.ts'
import { baselineName, policyDoor } from './policy-door.ts'
import { runTrials } from './run-trials.ts'
import type { Stop } from './run-trials.ts'
import { openSpending } from './spending.ts'
import { readTasks } from './task.ts'
import type { LiveTask } from './task.ts'
import { openTrialLog } from './trial-log.ts'
import type { Experiment, TrialLog } from './trial-log.ts'

interface Wanted extends LiveOptions {
  readonly live: string
  readonly model: string
  readonly json: boolean
}

/** Runs the experiment and prints its report; gives the exit code. */
export async function evaluateLive(wanted: Wanted, io: Io): Promise<number> {
  const tasks = readTasks(wanted.live)
  const policies = policiesOf(wanted.policies ?? [defaultPolicy.id])
  const live = await openLiveModel(wanted.model, wanted, io)
  try {
    const experiment = experimentOf(wanted, live, tasks, policies)
    requireCap(wanted, live)
    if (wanted.resume === true && wanted.out === undefined)
      throw invalidInput('--resume', 'needs --out', 'Name the file that holds the results so far')
    const log = openTrialLog(wanted.out, experiment, wanted.resume === true)
    const { report, stop } = await played({ wanted, tasks, policies, live, experiment, log, io })
    if (stop?.refusal !== undefined && !report.trials.some(countsAsResult)) throw stop.refusal
    io.out(wanted.json ? `${JSON.stringify(report)}\n` : liveTable(report, io.columns))
    if (stop?.why === 'interrupted') return io.interrupted.reason === 'SIGTERM' ? 143 : 130
    return stop?.why === 'provider' ? 6 : 0
  } finally {
    await live.close()
  }
}

/** Policies by the names they were given by; the baseline has none and comes first. */
type Policies = ReadonlyMap<string, Policy | undefined>

function policiesOf(names: readonly string[]): Policies {
  const others = names.filter((name) => name !== baselineName)
  return new Map([
    [baselineName, undefined],
    ...others.map((name) => [name, policyAt(name, '--policies').policy] as const),
  ])
}

function experimentOf(wanted: Wanted, live: LiveModel, tasks: readonly LiveTask[], policies: Policies): Experiment {
  return {
    schema: 'prehend.live/1',
    model: wanted.model,
    provider: live.route.upstream.name,
    seed: wanted.seed ?? 1,
    maxTurns: Math.floor(wanted['max-turns'] ?? 40),
    maxOutputTokens: Math.floor(wanted['max-output'] ?? 8192),
    tasks: Object.fromEntries(tasks.map(({ name, hash }) => [name, hash])),
    policies: Object.fromEntries(
      [...policies].map(([name, policy]) => [name, policy ? sha256(JSON.stringify(policy)).slice(0, 16) : '']),
    ),
  }
}

/** A real model costs money, and a cap without a price holds nothing back. */
function requireCap(wanted: Wanted, { info, isSimulated }: LiveModel): void {
  const isPriced = priceOf({ inputTokens: 1, outputTokens: 1 }, info) !== undefined
  if (wanted['max-usd'] === undefined) {
    if (isSimulated) return
    throw invalidInput('--max-usd', 'is missing', 'Say how many dollars all runs together may cost, as in --max-usd 20')
  }
  if (isPriced) return
  const remedy = 'Give its price with --price INPUT,OUTPUT (0,0 for a model of your own), or check --model'
  throw new PrehendError(
    'unknown-model',
    `--max-usd: the price of ${wanted.model} is not known, so nothing can be capped. ${remedy}.`,
    { field: '--model', remedy },
  )
}

interface Parts {
  readonly wanted: Wanted
  readonly tasks: readonly LiveTask[]
  readonly policies: Policies
  readonly live: LiveModel
  readonly experiment: Experiment
  readonly log: TrialLog
  readonly io: Io
}

async function played(parts: Parts): Promise<{ readonly report: LiveReport; readonly stop: Stop | undefined }> {
  const { wanted, tasks, policies, live, experiment, log, io } = parts
  const { model, maxTurns, maxOutputTokens, seed } = experiment
  const { catalogue, info, route, dialect } = live
  const trials = [...log.earlier]
  const repeats = Math.floor(wanted.runs ?? 3)
  const capUsd = wanted['max-usd'] ?? Number.POSITIVE_INFINITY
  const spending = openSpending(capUsd, spentOn(trials))
  const { count } = tokenizerFor(model, catalogue)
  const provider = liveProvider({ route, dialect, model, info, maxOutputTokens, spending, count })
  const byName = new Map(tasks.map((task) => [task.name, task]))
  const order = trialOrder({ tasks: [...byName.keys()], policies: [...policies.keys()], repeats, seed })
  const line = progress(io, wanted.json)
  const show = (): void => line.show(liveProgress(trials, order.length, { spentUsd: spending.committedUsd(), capUsd }))
  show()
  const stop = await runTrials({
    order,
    earlier: log.earlier,
    concurrency: Math.floor(wanted.concurrency ?? 1),
    signal: io.interrupted,
    play: (key) =>
      playTrial({
        key,
        // Keys are made of these names.
        task: byName.get(key.task)!,
        provider,
        openDoor: (noted) => policyDoor(policies.get(key.policy), noted, catalogue),
        model,
        maxTurns,
        maxOutputTokens,
        isOpenai: route.upstream.name === 'openai',
        signal: io.interrupted,
      }),
    ended(trial) {
      log.add(trial)
      trials.push(trial)
      show()
    },
  }).finally(() => line.end())
  const report: LiveReport = {
    schema: 'prehend.live-report/1',
    model,
    provider: route.upstream.name,
    planned: order.length,
    ...(stop && { stopped: { why: stop.why, ...(stop.detail !== undefined && { detail: stop.detail }) } }),
    ...trialReport(trials, [...policies.keys()], baselineName),
    trials,
  }
  return { report, stop }
}

function spentOn(trials: readonly Trial[]): number {
  return trials.reduce((sum, { bill }) => sum + (bill.usd ?? 0), 0)
}
