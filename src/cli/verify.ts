import { existsSync } from 'node:fs'
import { PrehendError, invalidInput, isJsonObject } from '../core/index.ts'
import { compileExtras, compilesAgain, dialectsOf, verifyReceipt } from '../sessions/index.ts'
import type { ReceiptVerification } from '../sessions/index.ts'
import { command } from './command.ts'
import { extensionOptions, withExtensions } from './command-extensions.ts'
import { parseJson, readText } from './read-text.ts'
import { receiptOptions, withReceipts } from './receipts.ts'
import type { Receipt } from '../stores/index.ts'
import type { Io } from './io.ts'
import type { ReceiptSource } from './receipts.ts'

export const verifyCommand = command({
  name: 'verify',
  about:
    'make a request and its hidden rounds again from the receipt and compare the bytes; exit code 1 where they differ',
  positional: {
    name: 'PACK',
    about: 'a request id, a pack id, or a file with a receipt',
    least: 1,
    most: 1,
  },
  options: { ...receiptOptions, ...extensionOptions },
  examples: ['prehend verify req_0123', 'prehend packs req_0123 --json > receipt.json && prehend verify receipt.json'],
  async run({ options, positionals: [id = ''], io }) {
    const receipt = await receiptOf(id, options, io)
    const { input, manifest } = receipt
    if (input === undefined) {
      const remedy = 'Let the gateway record content, then verify a newer one'
      throw new PrehendError('not-found', `The receipt does not hold its input. ${remedy}.`, {
        what: 'input',
        remedy,
      })
    }
    const verification = await withExtensions(options, async ({ all }) => {
      const compileAgain = compilesAgain(compileExtras(all.map(({ added }) => added)))
      return verifyReceipt({
        receipt,
        input,
        dialects: dialectsOf({ all }),
        compile: (again) => compileAgain(again, manifest),
      })
    })
    const { verified } = verification
    if (options.json === true) {
      io.out(`${JSON.stringify(asJson(receipt, verification))}\n`)
    } else io.out(report(receipt, verification))
    return verified ? 0 : 1
  },
})

async function receiptOf(id: string, options: ReceiptSource, io: Io): Promise<Receipt> {
  if (id !== '-' && !existsSync(id)) return withReceipts(options, io, (receipts) => receipts.one(id))
  const value = parseJson(await readText(id, io), id)
  if (isJsonObject(value) && isJsonObject(value['manifest'])) return value as unknown as Receipt
  throw invalidInput(id, 'is not a receipt', 'Save one with prehend packs PACK --json')
}

function report(
  { manifest, mode, packId, request, result }: Receipt,
  { verified, notProvable, differences }: ReceiptVerification,
): string {
  if (notProvable !== undefined) {
    const found = differences.map(({ field }) => `  ${field}: came out otherwise\n`).join('')
    const compared = found === '' ? 'What can be compared without compiling it again is the same.\n' : found
    return `not provable: ${notProvable}\n${compared}`
  }
  if (verified && mode === 'answered') {
    const came = request
      ? `the recorded request is the one that came\nreceived ${packId}\n`
      : 'its content is not recorded\n'
    return `verified: nothing was sent; ${came}`
  }
  if (verified) {
    const rounds = (result?.rounds ?? []).map(({ hash }) => hash)
    const sent = request ? [packId, ...rounds].map((hash) => `sent ${hash}\n`).join('') : ''
    return `verified: compiled again, same bytes\npack hash ${manifest.packHash}\n${sent}`
  }
  const lines = differences.map(({ field, expected, actual }) => `  ${field}: ${short(expected)} -> ${short(actual)}`)
  return `not verified: ${differences.length} members came out otherwise\n${lines.join('\n')}\n`
}

function asJson(
  { packId, manifest, result }: Receipt,
  { verified, notProvable, differences }: ReceiptVerification,
): object {
  const rounds = (result?.rounds ?? []).map(({ hash }) => hash)
  return {
    verified,
    ...(notProvable !== undefined && { notProvable }),
    packId,
    packHash: manifest.packHash,
    ...(rounds.length > 0 && { rounds }),
    differences,
  }
}

function short(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 57)}…`
}
