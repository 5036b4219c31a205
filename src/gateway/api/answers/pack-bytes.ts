import type { z } from 'zod'
import type { DialectTable } from '../../../codecs/index.ts'
import { PrehendError } from '../../../core/index.ts'
import { sha256 } from '../../../host/index.ts'
import { compileDocumentSchema, sentBody, verifyReceipt } from '../../../sessions/index.ts'
import type { CompileAgain } from '../../../sessions/index.ts'
import { sentAs, stoppedBy } from '../../../stores/index.ts'
import type { Receipt } from '../../../stores/index.ts'
import type { Answered } from '../route.ts'
import type { copyKinds, packBytes, verification } from '../schemas/views.ts'
import { noContent, ofOtherVersion } from './pack-view.ts'

/** What a receipt's request is made again with. */
export interface MadeAgain {
  readonly compile: CompileAgain
  readonly dialects: DialectTable
}

/** The bodies as they came and as they went. */
export function bytesOf(receipt: Receipt, { compile, dialects }: MadeAgain): Answered<z.output<typeof packBytes>> {
  const { request, input, manifest, packId } = receipt
  if (!request || !input)
    return { whyNot: noContent, received: null, sent: null, sentHash: null, proven: null, sameTo: null }
  const received = request.body
  const unsent = sentAs(receipt) === 'nothing' || receipt.mode === 'answered' ? nothingSent(receipt) : undefined
  if (unsent !== undefined) return { whyNot: unsent, received, sent: null, sentHash: null, proven: null, sameTo: null }
  const sent = sentBody({ receipt, input, dialects, compile: (again) => compile(again, manifest) })
  if (sent === undefined)
    return {
      whyNot: ofOtherVersion,
      received,
      sent: null,
      sentHash: null,
      proven: null,
      sameTo: null,
    }
  const sentHash = sha256(sent)
  return { whyNot: null, received, sent, sentHash, proven: sentHash === packId, sameTo: sharedChars(received, sent) }
}

function nothingSent({ dialect, result }: Receipt): string {
  if (dialect === 'compile') return 'A compile alone sends nothing.'
  const by = stoppedBy(result)
  return by === undefined ? 'Nothing was sent.' : `Nothing was sent: the layer ${by.name} ${by.outcome} the request.`
}

function sharedChars(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let at = 0
  while (at < most && one.charCodeAt(at) === other.charCodeAt(at)) at += 1
  return at
}

/** Compiles a receipt again and compares; throws `not-found` where it does not hold its input. */
export function verificationOf(
  receipt: Receipt,
  { compile, dialects }: MadeAgain,
): Answered<z.output<typeof verification>> {
  const { manifest, packId, result } = receipt
  const input = inputOf(receipt)
  const {
    verified,
    notProvable = null,
    differences,
  } = verifyReceipt({
    receipt,
    input,
    dialects,
    compile: (again) => compile(again, manifest),
  })
  const rounds = (result?.rounds ?? []).map(({ hash }) => hash)
  return { verified, notProvable, packId, packHash: manifest.packHash, rounds, differences }
}

type CopyKind = (typeof copyKinds)[number]

/** A request as something to take along: a command for a shell, a document for `prehend compile`, a test. */
export function copyOf(receipt: Receipt, as: CopyKind, host: string): string {
  return copies[as](receipt, host)
}

const copies: Readonly<Record<CopyKind, (receipt: Receipt, host: string) => string>> = {
  curl({ request }, host) {
    if (!request) throw notRecorded()
    const url = `http://${host}${request.path ?? '/v1/chat/completions'}`
    return `curl ${quoted(url)} \\\n  -H 'content-type: application/json' \\\n  --data-raw ${quoted(request.body)}\n`
  },
  document: (receipt) => `${JSON.stringify(documentOf(receipt), undefined, 2)}\n`,
  test: (receipt) => {
    const { requestId, manifest } = receipt
    return [
      `import { expect, it } from 'vitest'`,
      `import { compile } from 'prehend'`,
      `import { parseCompileDocument } from 'prehend/documents'`,
      '',
      `const document = ${JSON.stringify(documentOf(receipt))}`,
      '',
      `it(${JSON.stringify(`packs request ${requestId} as it was packed`)}, () => {`,
      `  const { manifest } = compile(parseCompileDocument(document))`,
      `  expect(manifest).toMatchObject({ packHash: ${JSON.stringify(manifest.packHash)}, packTokens: ${manifest.packTokens} })`,
      `})`,
      '',
    ].join('\n')
  },
}

function documentOf(receipt: Receipt): object {
  return { schema: compileDocumentSchema, ...inputOf(receipt) }
}

/** For a shell: nothing in it is read. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function inputOf({ input }: Receipt): NonNullable<Receipt['input']> {
  if (input) return input
  throw notRecorded()
}

function notRecorded(): PrehendError<'not-found'> {
  const remedy = 'Let the gateway record content (record: content), then ask for a newer one.'
  return new PrehendError('not-found', `The receipt does not hold its input. ${remedy}`, { what: 'input', remedy })
}
