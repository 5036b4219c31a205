import { describe, expect, it } from 'vitest'
import { careful } from '../src/compiler/index.ts'
import { policyChoice } from './policy-choice.ts'

describe('policies of the frontier', () => {
  it('go by name', () => {
    expect(policyChoice('careful')).toEqual({ name: 'careful', policy: careful })
    expect(() => policyChoice('carefull')).toThrow(/careful/)
  })

  it('change single settings, and keep the rest', () => {
    const { name, policy } = policyChoice('careful:epochs.patience=.5,epochs.keepFull=8')
    expect(name).toBe('careful:epochs.patience=.5,epochs.keepFull=8')
    expect(policy.epochs).toEqual({ ...careful.epochs, patience: 0.5, keepFull: 8 })
    expect(policyChoice('careful:{"epochs":{"patience":0.5}}').policy.epochs).toEqual({
      ...careful.epochs,
      patience: 0.5,
    })
    expect(policyChoice('careful:epochs.ownCalls=whole').policy.epochs.ownCalls).toBe('whole')
  })

  it('name a setting that there is not', () => {
    expect(() => policyChoice('careful:epochs.patiense=.5')).toThrow(/patiense/)
    expect(() => policyChoice('careful:epochs')).toThrow(/PATH=VALUE/)
  })
})
