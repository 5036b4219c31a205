import { z } from 'zod'
import type { Extension, Policy } from '../../core/index.ts'
import { invalidInput } from '../../core/index.ts'
import { policyNamed } from '../../sessions/index.ts'
import type { HostStep } from '../../stores/index.ts'
import type { GatewayConfig } from '../config.ts'

const hostsId = z.string().min(1).max(200).optional()

const extension = z.strictObject({
  mode: z.enum(['on', 'observe', 'off']).optional(),
  policy: z.string().optional(),
  rehydrate: z.boolean().optional(),
  taskId: hostsId,
  stepId: hostsId,
})

/** How one request is to be treated. */
export interface RequestSettings {
  readonly mode: GatewayConfig['mode']
  readonly policy: Policy
  readonly rehydrate: boolean
  readonly step: HostStep
}

/** The gateway's settings, with what the body's `prehend` member says otherwise. Throws `invalid-input`. */
export function requestSettings(said: Extension | undefined, config: GatewayConfig): RequestSettings {
  const { mode = config.mode, policy = config.policy, rehydrate = true, ...step } = settingsIn(said)
  return {
    mode,
    policy: policyNamed(policy, `${said?.name ?? 'prehend'}.policy`),
    rehydrate: rehydrate && config.rehydrate,
    step,
  }
}

/** Whether a member that goes by our other name is somebody else's, by what it says. */
export function isForeign(said: Extension | undefined): boolean {
  return (
    said !== undefined && said.name !== 'prehend' && said.value !== null && !extension.safeParse(said.value).success
  )
}

const none: z.infer<typeof extension> = {}

/** Most requests say nothing. */
function settingsIn(said: Extension | undefined): z.infer<typeof extension> {
  if (said === undefined || said.value === null) return none
  const parsed = extension.safeParse(said.value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
    const field = [said.name, ...(issue?.path ?? []), ...unknown].join('.')
    const problem = unknown.length > 0 ? 'is not a known setting' : (issue?.message ?? 'is not valid')
    throw invalidInput(field, problem, 'Known are mode, policy, rehydrate, taskId and stepId.')
  }
  return parsed.data
}
