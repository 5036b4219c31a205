import { hasScope } from '../../../core/index.ts'
import { spokenBy } from '../../../providers/index.ts'
import { withinDeadline } from '../../../sessions/index.ts'
import type { Figures as StoredFigures } from '../../../stores/index.ts'
import { PROVIDER_RULES_AS_OF } from '../../../tokens/index.ts'
import type { ServingParts } from '../../parts.ts'
import { settingsFor } from '../../tenant-settings.ts'
import type { Asked } from '../route.ts'

interface Check {
  readonly name: string
  readonly state: 'ok' | 'warning' | 'failed'
  readonly about: string
  readonly remedy?: string
}

const hourMs = 3_600_000
const staleDays = 60
/** Of the requests of an hour, so many may fail before it is worth a word. */
const troubleShare = 0.05

/** How a gateway that runs is: what its own requests have met, and what it can try without asking anybody else. */
export async function answerHealth(parts: ServingParts, { tenant, asker }: Pick<Asked, 'tenant' | 'asker'>) {
  const { config, clock, drain } = parts
  const isOperator = hasScope(asker, 'operator')
  const settings = settingsFor(config, tenant)
  const checks = [
    await storeCheck(parts),
    hotCheck(parts),
    await requestsCheck(parts, tenant),
    await packingCheck(parts, tenant),
    pricesCheck(clock()),
    recordCheck(settings.record),
    upstreamsCheck(parts),
  ]
  const worst = (['failed', 'warning'] as const).find((each) => checks.some((check) => check.state === each))
  return {
    state: worst ?? ('ok' as const),
    startedMs: parts.startedMs,
    underway: isOperator ? drain.underway : drain.underwayOf(tenant),
    mode: config.tenants[tenant]?.mode ?? config.mode,
    record: settings.record,
    policy: config.tenants[tenant]?.policy ?? config.policy,
    checks,
    jobs: isOperator ? parts.metrics.jobFigures() : [],
    upstreams: upstreamsOf(parts, isOperator),
  }
}

async function storeCheck({ store, config }: ServingParts): Promise<Check> {
  try {
    await withinDeadline(store.ping(), config.limits.stageMs)
    return { name: 'store', state: 'ok', about: 'It can be written to.' }
  } catch {
    return {
      name: 'store',
      state: 'failed',
      about: 'It cannot be written to: requests are forwarded unchanged.',
      remedy: 'Check that its file exists, is writable, and that the disk has room.',
    }
  }
}

/** By the commands of this process: nothing is asked for the check. The reason names an address, which the log has. */
function hotCheck({ hotTrouble }: ServingParts): Check {
  if (hotTrouble() === undefined) return { name: 'hot', state: 'ok', about: 'The hot state answers.' }
  return {
    name: 'hot',
    state: 'failed',
    about:
      'Its server (Redis) does not answer: requests with a budget in dollars are refused, and background work waits.',
    remedy: 'Start Redis, or look for hot-unreachable in the log.',
  }
}

/** Of the last hour and the one that runs. */
async function requestsCheck({ store, clock }: ServingParts, tenant: string): Promise<Check> {
  const { requests, errors, skipped } = await lately({ store, clock }, tenant)
  const left = Object.entries(skipped).map(([name, count]) => `${name} ${count}`)
  const about = `${requests} requests in the last two hours, ${errors} failed${left.length > 0 ? `, left out: ${left.join(', ')}` : ''}.`
  const isTrouble = errors > requests * troubleShare || left.length > 0
  if (!isTrouble) return { name: 'requests', state: 'ok', about }
  return { name: 'requests', state: 'warning', about, remedy: 'See GET /v1/packs?failed=true and the log.' }
}

/** Whether compiles failed: those requests were neither packed nor searched. */
async function packingCheck(parts: ServingParts, tenant: string): Promise<Check> {
  const { requests, skipped } = await lately(parts, tenant)
  const count = skipped['compile'] ?? 0
  const about = `The compile of ${count} of ${requests} requests in the last two hours failed.`
  if (count === 0) return { name: 'packing', state: 'ok', about }
  const remedy = 'Look for stage-skipped in the log: it names the field and what to do.'
  return { name: 'packing', state: 'warning', about, remedy }
}

async function lately(
  { store, clock }: Pick<ServingParts, 'store' | 'clock'>,
  tenant: string,
): Promise<Pick<StoredFigures, 'requests' | 'errors' | 'skipped'>> {
  const [row] = await store.read('results').statistics(tenant, { sinceMs: clock() - 2 * hourMs })
  return row?.figures ?? { requests: 0, errors: 0, skipped: {} }
}

function pricesCheck(nowMs: number): Check {
  const days = Math.floor((nowMs - Date.parse(PROVIDER_RULES_AS_OF)) / (24 * hourMs))
  const about = `Prices and cache rules are of ${PROVIDER_RULES_AS_OF}.`
  if (days <= staleDays) return { name: 'prices', state: 'ok', about }
  return { name: 'prices', state: 'warning', about, remedy: 'Update prehend; providers change them every few weeks.' }
}

function recordCheck(record: 'content' | 'receipts'): Check {
  if (record === 'content') return { name: 'record', state: 'ok', about: 'Requests are recorded with their content.' }
  return {
    name: 'record',
    state: 'warning',
    about: 'Only decisions are recorded: no request can be shown, verified or replayed.',
    remedy: 'Set record: content to have that.',
  }
}

function upstreamsCheck({ config }: ServingParts): Check {
  const names = Object.keys(config.upstreams)
  if (names.length > 0) return { name: 'upstreams', state: 'ok', about: `Configured: ${names.join(', ')}.` }
  return {
    name: 'upstreams',
    state: 'warning',
    about: 'None is configured: the simulated provider answers, or what the host has handed in.',
    remedy: 'Set a key, or give --upstream.',
  }
}

/** Where the servers are is the operator's to know. */
function upstreamsOf(parts: ServingParts, isShown: boolean) {
  const { config } = parts
  return Object.entries(config.upstreams).map(
    ([name, { apiKey, models: _models, credentials: _credentials, ...settings }]) => {
      const spoken = spokenBy(name, settings)
      return {
        name,
        dialects: spoken.map(({ dialect }) => dialect),
        address: isShown && spoken[0] ? originOf(spoken[0].baseUrl) : null,
        credentials: apiKey === undefined ? withoutKey(parts, name) : ('key' as const),
      }
    },
  )
}

/** Whether an upstream gets keys of clients. */
function withoutKey({ config: { upstreams }, dialects }: ServingParts, name: string): 'of-clients' | 'none' {
  const isVendor = dialects.codecs.some(({ signs }) => signs.provider === name)
  return isVendor || upstreams[name]?.credentials !== undefined ? 'of-clients' : 'none'
}

/** Without what may stand in an address beside the place. */
function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null
}
