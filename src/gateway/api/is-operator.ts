import type { GatewayConfig } from '../config.ts'

/** Whether a tenant may see the figures of the whole process: an operator, and whoever is alone. */
export function isOperator(
  { operators, tokens }: Pick<GatewayConfig, 'operators' | 'tokens'>,
  tenant: string,
): boolean {
  return operators.includes(tenant) || tokens.every((other) => other.tenant === tenant)
}
