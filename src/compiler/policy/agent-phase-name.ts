import type { AgentPhase } from '../../core/index.ts'

const phaseNames: Readonly<Record<string, AgentPhase>> = { plan: 'planning', execute: 'executing', review: 'reviewing' }

/** An agent phase by its usual name. */
export function agentPhaseNamed(name: string): string {
  return Object.hasOwn(phaseNames, name) ? (phaseNames[name] ?? name) : name
}
