import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import type { CompactionConfig, Constraint, Extension, Policy, Situation, StepLimits } from '../../core/index.ts'
import { PrehendError, riskLevels } from '../../core/index.ts'
import { compactionSettings } from '../compaction-settings.ts'
import { checklist, clientConstraints } from '../constraints.ts'
import { storedSessionName } from '../../sessions/index.ts'
import type { HostStep } from '../../stores/index.ts'
import type { GatewayConfig } from '../config.ts'
import type { GatewayPolicies } from '../policies.ts'
import { ownSettings, settingsFor } from '../tenant-settings.ts'
import { zodRefusal } from '../zod-refusal.ts'
import {
  headerOf,
  outcomeSaid,
  requestSituation,
  requireKnownHeaders,
  settingHeaders,
  situationMembers,
} from './request-situation.ts'

const hostsId = z.string().min(1).max(200).optional()

const amount = z.number().min(0).optional()

const toolNames = z.array(z.string().min(1).max(200)).max(200).exactOptional()

const mode = z.enum(['on', 'observe', 'off'])

const extension = z.strictObject({
  mode: mode.optional(),
  policy: z.string().optional(),
  rehydrate: z.boolean().optional(),
  settings: z.record(z.string(), z.unknown()).optional(),
  taskId: hostsId,
  stepId: hostsId,
  limits: z
    .strictObject({ latencyMs: amount, costUsd: amount, tokens: amount, risk: z.enum(riskLevels).optional() })
    .optional(),
  tools: z.strictObject({ scopes: toolNames, only: toolNames }).optional(),
  constraints: clientConstraints.optional(),
  checklist: checklist.optional(),
  compaction: compactionSettings.optional(),
  ...situationMembers,
})

/** How one request is to be treated. */
export interface RequestSettings {
  readonly mode: GatewayConfig['mode']
  readonly policy: Policy
  /** Whether the operator has pinned the policy, and it is in force: nothing goes round it. */
  readonly isPolicyPinned?: true
  /** What the request is part of; absent where nothing of that is known or asked for. */
  readonly situation?: Situation
  readonly rehydrate: boolean
  readonly step: HostStep
  /** The session that this one belongs to. */
  readonly parentSession?: string
  /** When the session is compacted, and how, as this request has it. */
  readonly compaction?: CompactionConfig
  /** What replies are held against. */
  readonly constraints: readonly Constraint[]
  /** How good the request before it in the session turned out. */
  readonly outcome?: number
  /** What answers should have; one that lacks a point is asked for once more. */
  readonly checklist: readonly Constraint[]
  /** So often a model is asked again that breaks a hard one; as the configuration says where absent. */
  readonly repairs?: number
}

/** What settings follow from, beside what the body says. */
export interface SettingsOf {
  readonly config: GatewayConfig
  readonly policies: GatewayPolicies
  readonly tenant: string
  readonly headers: IncomingHttpHeaders
}

/** The gateway's settings, with what its tenant has otherwise, and then what the request itself says. Throws `invalid-input`. */
export function requestSettings(said: Extension | undefined, of: SettingsOf): RequestSettings {
  const { config, policies, tenant, headers } = of
  requireKnownHeaders(headers)
  const own = ownSettings(config, tenant)
  const {
    mode: asked = modeSaid(headers),
    policy: id,
    rehydrate = true,
    settings,
    taskId,
    stepId,
    limits,
    tools,
    constraints,
    checklist: points,
    compaction,
    ...body
  } = settingsIn(said)
  const name = said?.name ?? 'prehend'
  const chosen = id === undefined ? policyElsewhere(of) : policies.named({ id, field: `${name}.policy`, tenant })
  const parentSession = headerOf(headers, settingHeaders.parentSession)
  const outcome = outcomeSaid(headers)
  requireUnpinned(of, { mode: asked, id, settings, rehydrate: said && rehydrate, name })
  const situation = requestSituation(chosen, { headers, body, tenant })
  const policy = settings ? policies.saying({ policy: chosen, situation, settings, at: `${name}.settings` }) : chosen
  const modeInForce = asked ?? own?.mode ?? config.mode
  const isPolicyPinned = modeInForce === 'on' && settingsFor(config, tenant).pinned.includes('policy')
  return {
    mode: modeInForce,
    policy,
    ...(isPolicyPinned && { isPolicyPinned }),
    ...(situation && { situation }),
    constraints: allConstraints(config.constraints, own?.constraints, constraints),
    checklist: allConstraints(settingsFor(config, tenant).checklist, points),
    ...(compaction && { compaction }),
    ...(parentSession !== undefined && { parentSession: storedSessionName(parentSession) }),
    ...(outcome !== undefined && { outcome }),
    rehydrate: rehydrate && (own?.rehydrate ?? true) && config.rehydrate,
    step: {
      ...(taskId !== undefined && { taskId }),
      ...(stepId !== undefined && { stepId }),
      // What is absent is absent, and not undefined.
      ...(limits && { limits: limits as StepLimits }),
      ...(tools && { tools }),
    },
  }
}

interface Chosen {
  readonly mode: GatewayConfig['mode'] | undefined
  readonly id: string | undefined
  readonly settings: object | undefined
  readonly rehydrate: boolean | undefined
  /** What the request calls its member of ours. */
  readonly name: string
}

/** What the operator has pinned a request may repeat, and not choose otherwise. Throws `forbidden`. */
function requireUnpinned({ config, tenant, headers }: SettingsOf, chosen: Chosen): void {
  const { pinned } = settingsFor(config, tenant)
  if (pinned.length === 0) return
  const own = ownSettings(config, tenant)
  const { name } = chosen
  const inForce = { mode: own?.mode ?? config.mode, policy: own?.policy ?? config.policy }
  const refuse = (field: string, what: string): never => {
    const remedy = 'Leave it out, or ask the operator.'
    throw new PrehendError('forbidden', `${field}: the ${what} of the tenant ${tenant} is pinned. ${remedy}`, {
      remedy,
    })
  }
  const pinsMode = pinned.includes('mode') || pinned.includes('policy')
  if (pinsMode && chosen.mode !== undefined && chosen.mode !== inForce.mode) refuse(`${name}.mode`, 'mode')
  if (pinned.includes('policy')) {
    const said = chosen.id ?? headerOf(headers, settingHeaders.policy)
    if (said !== undefined && said !== inForce.policy) refuse(`${name}.policy`, 'policy')
    if (chosen.settings !== undefined) refuse(`${name}.settings`, 'policy')
  }
  if (pinned.includes('rehydrate') && chosen.rehydrate === false) refuse(`${name}.rehydrate`, 'rehydrate')
}

/** By a request's header, its tenant or the configuration. */
function policyElsewhere({ config, policies, tenant, headers }: SettingsOf): Policy {
  const said = headerOf(headers, settingHeaders.policy)
  if (said !== undefined) return policies.named({ id: said, field: settingHeaders.policy, tenant })
  return policies.named({ id: ownSettings(config, tenant)?.policy ?? config.policy, field: 'policy', tenant })
}

function modeSaid(headers: IncomingHttpHeaders): GatewayConfig['mode'] | undefined {
  const value = headerOf(headers, settingHeaders.mode)
  if (value === undefined) return undefined
  const read = mode.safeParse(value)
  if (read.success) return read.data
  throw zodRefusal({ schema: mode, value, error: read.error, at: settingHeaders.mode, whole: 'mode' })
}

/** The same list wherever neither tenant nor request adds any. */
function allConstraints(
  ofAll: readonly Constraint[],
  ofTenant: readonly Constraint[] = [],
  ofRequest: readonly Constraint[] = [],
): readonly Constraint[] {
  return ofTenant.length + ofRequest.length === 0 ? ofAll : [...ofAll, ...ofTenant, ...ofRequest]
}

const none: z.infer<typeof extension> = {}

/** Most requests say nothing. */
function settingsIn(said: Extension | undefined): z.infer<typeof extension> {
  if (said === undefined || said.value === null) return none
  const parsed = extension.safeParse(said.value)
  if (parsed.success) return parsed.data
  throw zodRefusal({ schema: extension, value: said.value, error: parsed.error, at: said.name, whole: said.name })
}
