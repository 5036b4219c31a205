import { expect, it } from 'vitest'
import { policies } from '../src/compiler/index.ts'
import { ablations } from './ablation-variants.ts'

it('takes each idea of a policy away by itself, and leaves all else as it was', () => {
  const { balanced } = policies
  const [whole, ...others] = ablations({ name: 'balanced', policy: balanced })
  expect(whole?.policy).toBe(balanced)
  const changed = others.map(({ name, policy }) => {
    const members = new Set([...Object.keys(balanced.epochs), ...Object.keys(policy.epochs)]) as Set<
      keyof typeof balanced.epochs
    >
    const differ = [...members].filter(
      (one) => JSON.stringify(balanced.epochs[one]) !== JSON.stringify(policy.epochs[one]),
    )
    expect({ ...policy, epochs: balanced.epochs }).toEqual(balanced)
    return [name.split(' ')[0], differ.toSorted()]
  })
  expect(changed).toEqual([
    ['trimming', ['justRead']],
    ['compaction', ['compaction']],
    ['bounded', ['debtShare']],
    ['age', ['touchAge']],
    ['shorter', ['oldText']],
    ['folds', ['replacedTokens']],
    ['prices', ['lineWorthPer']],
    ['the', ['toolFrom']],
    ['epochs:', ['lowestRung']],
    ['shortening', ['ownCalls']],
  ])
})

it('leaves out ideas that a policy does not have', () => {
  const names = ablations({ name: 'masked', policy: policies.masked }).map(({ name }) => name.split(' ')[0])
  expect(names).toEqual(['masked', 'the', 'epochs:'])
})
