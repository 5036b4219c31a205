import type { Citations } from './citations.ts'
import type { Capability, Requirement } from './requirement.ts'

/** What is wrong between the requirements and the tests that cite them, one sentence each. */
export function findFaults(capabilities: readonly Capability[], citations: Citations): readonly string[] {
  const requirements = capabilities.flatMap((capability) => capability.requirements)
  const numbers = requirements.map(({ number }) => number)
  const known = new Set(numbers)
  return [
    ...numbers
      .filter((number, index) => numbers.indexOf(number) !== index)
      .map((number) => `${number} is stated twice`),
    ...[...citations]
      .filter(([number]) => !known.has(number))
      .map(([number, paths]) => `${number} does not exist, and is cited in ${paths.join(', ')}`),
    ...requirements.flatMap((requirement) => faultOf(requirement, citations.get(requirement.number) ?? [])),
  ]
}

function faultOf({ number, status }: Requirement, paths: readonly string[]): readonly string[] {
  if (status === 'proven' && paths.length === 0) return [`${number} is called proven, and no test cites it`]
  if (status === 'none' && paths.length > 0) return [`${number} is called none, and is cited in ${paths.join(', ')}`]
  return []
}
