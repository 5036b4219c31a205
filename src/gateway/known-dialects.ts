import type { DialectTable } from '../codecs/index.ts'
import { inOne } from '../core/index.ts'
import { dialectsOf } from '../sessions/index.ts'
import type { GatewayConfig } from './config.ts'
import { dialectErrors } from './configured-dialects.ts'
import type { GatewayParts } from './parts.ts'

/** Throws `invalid-input` where the configuration names a dialect that there is not. */
export function knownDialects(config: GatewayConfig, extensions: GatewayParts['extensions']): DialectTable {
  const dialects = dialectsOf(extensions)
  const errors = dialectErrors(config, dialects.names)
  if (errors.length > 0) throw inOne(errors)
  return dialects
}
