import { accountCases } from './account-cases.ts'
import { artifactCases } from './artifact-cases.ts'
import { auditCases } from './audit-cases.ts'
import { caseMaker } from './contract-case.ts'
import type { ContractCase } from '../contract-case.ts'
import type { OpenStore } from './contract-case.ts'
import { costCases } from './cost-cases.ts'
import { keyCases } from './key-cases.ts'
import { revisionedCases } from './revisioned-cases.ts'
import { keyedCases } from './keyed-cases.ts'
import { originalCases } from './original-cases.ts'
import { outcomeCases } from './outcome-cases.ts'
import { receiptCases, receiptListCases } from './receipt-cases.ts'
import { commitCases, sessionCases, upkeepCases } from './session-cases.ts'
import { askerCases } from './asker-cases.ts'
import { findCases, listCases, statisticsCases } from './statistics-cases.ts'
import { tenantAccountCases } from './tenant-account-cases.ts'
import { spendingCases } from './spending-cases.ts'
import { tenantCases } from './tenant-cases.ts'
import { toolCases } from './tool-cases.ts'
import { toolUseCases } from './tool-use-cases.ts'
import { turnCases } from './turn-cases.ts'
import { versionCases } from './version-cases.ts'

export type { OpenStore } from './contract-case.ts'

/**
 * What every store driver must do, for any test runner:
 * `for (const { name, run } of storeContract('mine', open)) it(name, run)`.
 */
export function storeContract(driver: string, open: OpenStore): readonly ContractCase[] {
  const makeCase = caseMaker(driver, open)
  return [
    sessionCases,
    commitCases,
    upkeepCases,
    versionCases,
    receiptCases,
    receiptListCases,
    costCases,
    accountCases,
    tenantAccountCases,
    statisticsCases,
    askerCases,
    listCases,
    findCases,
    originalCases,
    keyedCases,
    tenantCases,
    turnCases,
    outcomeCases,
    keyCases,
    revisionedCases,
    auditCases,
    spendingCases,
    artifactCases,
    toolCases,
    toolUseCases,
  ].flatMap((cases) => cases(makeCase))
}
