import { PrehendError, isPrehendError } from '../core/index.ts'
import { readTrace } from '../inspect/index.ts'
import type { ReadForm } from '../inspect/index.ts'
import { counted } from './counted.ts'
import type { Io } from './io.ts'
import { hanging } from './wrap-text.ts'

/** What a file was recognised as, and what its figures are without. */
export function recognisedLine(file: string, forms: readonly ReadForm[], { columns }: Pick<Io, 'columns'>): string {
  const parts = forms.map(({ name, requests, lacks }) => {
    const without = lacks.length === 0 ? '' : `, without ${lacks.join(' and ')}, which the file does not hold`
    return `${name}, ${counted(requests, 'request')}${without}`
  })
  return `${hanging(`prehend: ${file}: ${parts.join('; ')}`, columns)}\n`
}

/** The error of a record that cannot be read, with the advice to skip such records where others of the file can be. */
export async function withSkipAdvice(error: unknown, holdsOthers: () => Promise<boolean>): Promise<unknown> {
  if (!isPrehendError(error) || !isOfRecord(error) || !(await holdsOthers())) return error
  const { code, message, data } = error
  const advised = `${message.replace(/[.]$/, '')}, or pass over such lines with --skip-invalid`
  return new PrehendError(code, advised, data, error)
}

/** Errors of records name their line. */
function isOfRecord({ data }: PrehendError): boolean {
  return 'field' in data && typeof data.field === 'string' && /:\d+(?: |$)/.test(data.field)
}

/** Whether a file holds a request when records that cannot be read are passed over. */
export async function holdsRequests(file: string): Promise<boolean> {
  try {
    for await (const { requests } of readTrace(file, { onInvalid: () => undefined })) {
      if (requests.length > 0) return true
    }
  } catch {
    // The error that is at hand says what is wrong.
  }
  return false
}
