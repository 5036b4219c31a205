import type { ContractCase } from '../contract-case.ts'
import { contractDialects } from './contract-dialect.ts'
import { failureCases } from './failure-cases.ts'
import type { LayerUnderTest } from './layer-under-test.ts'
import { replyCases } from './reply-cases.ts'
import { requestCases } from './request-cases.ts'
import { restoreCases } from './restore-cases.ts'

export type { LayerUnderTest } from './layer-under-test.ts'

/**
 * What every layer of a gateway must do, for any test runner: each case opens a gateway that has it, with a provider
 * behind. `for (const { name, run } of layerContract({ open })) it(name, run)`.
 */
export function layerContract({
  open,
  says = ['Hello.', 'And now?'],
  answers = () => 'Good day [to you],\nsaid "the model".',
}: LayerUnderTest): readonly ContractCase[] {
  return contractDialects.flatMap((dialect) =>
    [requestCases, replyCases, restoreCases, failureCases].flatMap((cases) =>
      cases({ open, says, answers, dialect }).map(({ name, run }) => ({ name: `${dialect.name}: ${name}`, run })),
    ),
  )
}
