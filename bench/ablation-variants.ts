import type { EpochPolicy, Policy } from '../src/core/index.ts'
import type { PolicyUnderName } from './policy-choice.ts'

interface Idea {
  readonly name: string
  /** The epochs without it; the same where they do without it anyway. */
  without(epochs: EpochPolicy): EpochPolicy
}

type OptionalMember =
  | 'justRead'
  | 'compaction'
  | 'debtShare'
  | 'touchAge'
  | 'oldText'
  | 'replacedTokens'
  | 'lineWorthPer'

const leavingOut =
  (member: OptionalMember) =>
  (epochs: EpochPolicy): EpochPolicy =>
    // Only members that a policy may lack.
    Object.fromEntries(Object.entries(epochs).filter(([name]) => name !== member)) as unknown as EpochPolicy

const ideas: readonly Idea[] = [
  { name: 'trimming right after reading (`justRead`)', without: leavingOut('justRead') },
  { name: 'compaction', without: leavingOut('compaction') },
  { name: 'bounded debt (`debtShare`): loans as `careful` has them', without: leavingOut('debtShare') },
  { name: 'age by the last call that names the file (`touchAge`)', without: leavingOut('touchAge') },
  { name: 'shorter old text of the assistant (`oldText`)', without: leavingOut('oldText') },
  { name: 'folds of text that edits have replaced (`replacedTokens`)', without: leavingOut('replacedTokens') },
  { name: 'prices of lines by the character (`lineWorthPer`)', without: leavingOut('lineWorthPer') },
  { name: 'the tool from the first request on (`toolFrom`: 4,000)', without: toolLater },
  { name: 'epochs: only forms that lose nothing', without: (epochs) => ({ ...epochs, lowestRung: 'lossless' }) },
  { name: 'shortening of own calls (`ownCalls`)', without: (epochs) => ({ ...epochs, ownCalls: 'whole' }) },
]

/** The policy itself, and then without each idea that it has. */
export function ablations({ name, policy }: PolicyUnderName): readonly PolicyUnderName[] {
  const others = ideas.flatMap(({ name: idea, without }): readonly PolicyUnderName[] => {
    const changed: Policy = { ...policy, epochs: without(policy.epochs) }
    return isSame(policy, changed) ? [] : [{ name: idea, policy: changed }]
  })
  return [{ name, policy }, ...others]
}

function isSame(one: Policy, other: Policy): boolean {
  return JSON.stringify(one.epochs) === JSON.stringify(other.epochs)
}

function toolLater(epochs: EpochPolicy): EpochPolicy {
  return (epochs.toolFrom ?? 0) > 0 ? epochs : { ...epochs, toolFrom: 4000 }
}
