import type { Hasher, Situation, StepFrame, StepWarning } from '../../core/index.ts'
import { escapedXml } from './xml-markup.ts'

export interface InvariantsOptions {
  readonly hash: Hasher
  readonly situation: Situation | undefined
}

/** What a step's constraints, phase and warnings are, in an element that names each; all text is escaped. */
export function invariantsXml(
  { frame, lines }: { readonly frame: StepFrame | undefined; readonly lines: readonly string[] },
  { hash, situation }: InvariantsOptions,
): readonly string[] {
  const phase = phaseOf(frame, situation)
  const warnings = frame?.warnings ?? []
  return [
    '<invariants>\n',
    `<constraints hash="${hash(lines.join('\n')).slice(0, 16)}">\n`,
    ...lines.map((line) => `<line>${escapedXml(line)}</line>\n`),
    '</constraints>\n',
    ...(phase === undefined ? [] : [`<phase>${escapedXml(phase)}</phase>\n`]),
    `<active_warnings count="${warnings.length}">\n`,
    ...warnings.map(warningXml),
    '</active_warnings>\n',
    '</invariants>\n',
  ]
}

function warningXml({ text, severity }: StepWarning): string {
  return `<warning severity="${escapedXml(severity)}">${escapedXml(text)}</warning>\n`
}

/** The same where no element can name it. */
export function invariantLines(frame: StepFrame | undefined, phase?: string): readonly string[] {
  return [
    ...(phase === undefined ? [] : [`Phase: ${phase}`]),
    ...(frame?.warnings ?? []).map(({ text, severity }) => `Warning (${severity}): ${text}`),
  ]
}

/** The phase of the agent's life, else of its turn or its work, else of its task. */
export function phaseOf(frame: StepFrame | undefined, situation: Situation | undefined): string | undefined {
  const { lifecyclePhase, turnPhase, agentPhase } = situation ?? {}
  return lifecyclePhase ?? turnPhase ?? agentPhase ?? frame?.state?.phase
}
