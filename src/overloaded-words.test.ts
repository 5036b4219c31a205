import { globSync, readFileSync } from 'node:fs'
import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  agentPhases,
  authorities,
  budgetTiers,
  lifecyclePhases,
  modelTiers,
  toolLevels,
  turnPhases,
} from './core/index.ts'
import type {
  AgentPhase,
  Authority,
  BudgetTier,
  LifecyclePhase,
  ModelTier,
  ToolLevel,
  TurnPhase,
} from './core/index.ts'
import { prefixLayers } from './compiler/index.ts'
import type { PrefixLayer } from './compiler/index.ts'
import { pipelineLayers } from './gateway/index.ts'
import type { PipelineLayer } from './gateway/index.ts'

/** What several traditions call a layer, a level, a tier or a phase, by the type that each of them has here. */
interface Words {
  readonly PipelineLayer: PipelineLayer
  readonly PrefixLayer: PrefixLayer
  readonly ToolLevel: ToolLevel
  readonly BudgetTier: BudgetTier
  readonly ModelTier: ModelTier
  readonly Authority: Authority
  readonly LifecyclePhase: LifecyclePhase
  readonly AgentPhase: AgentPhase
  readonly TurnPhase: TurnPhase
}

const vocabularies: { readonly [Name in keyof Words]: readonly Words[Name][] } = {
  PipelineLayer: pipelineLayers,
  PrefixLayer: prefixLayers,
  ToolLevel: toolLevels,
  BudgetTier: budgetTiers,
  ModelTier: modelTiers,
  Authority: authorities,
  LifecyclePhase: lifecyclePhases,
  AgentPhase: agentPhases,
  TurnPhase: turnPhases,
}

type Overlap<Name extends keyof Words> = {
  [Other in Exclude<keyof Words, Name>]: Words[Name] & Words[Other]
}[Exclude<keyof Words, Name>]

const sources = globSync('src/**/*.ts').filter((file) => !/\.(?:test|fixture|child)\.ts$/.test(file))
const declared = sources.flatMap((file) =>
  Array.from(
    readFileSync(file, 'utf8').matchAll(
      /^(?:export )?type (\w*(?:Layer|Level|Tier|Phase|Authority)) = \(typeof (\w+)\)/gm,
    ),
    ([, name = '', list = '']) => ({ name, list }),
  ),
)

describe('words that several traditions overload', () => {
  it.each(Object.keys(vocabularies))('X-31: %s is one type, made of one list', (name) => {
    expect(declared.filter((one) => one.name === name)).toHaveLength(1)
  })

  it('X-31: no bare layer, level, tier or phase is a vocabulary, and no word is of two of them', () => {
    expect(declared.map(({ name }) => name).filter((name) => /^(?:Layer|Level|Tier|Phase)$/.test(name))).toEqual([])
    const words = Object.values(vocabularies).flatMap((list): readonly unknown[] => list)
    // A layer of the gateway and a part of a prompt; no other word means two things.
    const twice = words.filter((word, index) => words.indexOf(word) < index)
    expect(twice).toEqual(['session'])
    expectTypeOf<Overlap<'PrefixLayer'>>().toEqualTypeOf<'session'>()
    expectTypeOf<Overlap<'BudgetTier' | 'ModelTier' | 'ToolLevel' | 'Authority'>>().toEqualTypeOf<never>()
    expectTypeOf<Overlap<'LifecyclePhase'>>().toEqualTypeOf<never>()
    expectTypeOf<Overlap<'AgentPhase'>>().toEqualTypeOf<never>()
    expectTypeOf<Overlap<'TurnPhase'>>().toEqualTypeOf<never>()
  })
})
