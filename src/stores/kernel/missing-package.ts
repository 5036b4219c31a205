import { PrehendError } from '../../core/index.ts'

/** The error for an optional package that a kind of address needs and that is not installed. */
export function missingPackage(name: string, scheme: string, cause: unknown): PrehendError {
  const remedy = `npm install ${name}`
  const message = `The package ${name} is missing, which ${scheme} needs. Install it: ${remedy}`
  return new PrehendError('store-failed', message, { remedy }, cause)
}
