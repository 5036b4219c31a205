import { z } from 'zod'
import type { JsonValue, Policy } from '../../core/index.ts'
import { invalidInput } from '../../core/index.ts'
import { policyNamed } from '../../sessions/index.ts'
import type { GatewayConfig } from '../config.ts'

const extension = z.strictObject({
  mode: z.enum(['on', 'observe', 'off']).optional(),
  policy: z.string().optional(),
  rehydrate: z.boolean().optional(),
})

/** How one request is to be treated. */
export interface RequestSettings {
  readonly mode: GatewayConfig['mode']
  readonly policy: Policy
  readonly rehydrate: boolean
}

/** The gateway's settings, with what the body's `prehend` member says otherwise. Throws `invalid-input`. */
export function requestSettings(value: JsonValue | undefined, config: GatewayConfig): RequestSettings {
  const { mode = config.mode, policy = config.policy, rehydrate = true } = settingsIn(value)
  return { mode, policy: policyNamed(policy, 'prehend.policy'), rehydrate: rehydrate && config.rehydrate }
}

const none: z.infer<typeof extension> = {}

/** Most requests say nothing. */
function settingsIn(value: JsonValue | undefined): z.infer<typeof extension> {
  if (value === undefined || value === null) return none
  const parsed = extension.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const unknown = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
    const field = ['prehend', ...(issue?.path ?? []), ...unknown].join('.')
    const problem = unknown.length > 0 ? 'is not a known setting' : (issue?.message ?? 'is not valid')
    throw invalidInput(field, problem, 'Known are mode, policy and rehydrate.')
  }
  return parsed.data
}
