import type { Sampling } from '../../core/index.ts'
import { refusesSampling } from '../openai-models.ts'
import type { Draft } from '../write-request.ts'

type Chance = { readonly [Name in 'temperature' | 'topP' | 'stop']?: Sampling[Name] | undefined }

/** Temperatures and the like, where the model takes them: those that think do not, unless they are told not to think. */
export function takenSampling({ conversation, lose }: Pick<Draft, 'conversation' | 'lose'>, chance: Chance): Chance {
  const { model, sampling } = conversation
  if (!refusesSampling(model) || sampling.reasoning?.effort === 'none') return chance
  for (const [name, value] of Object.entries(chance))
    if (value !== undefined) lose('sampling', name, 'the model refuses it')
  return {}
}
