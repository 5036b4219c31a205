import { command } from './command.ts'
import { invalidInput } from '../core/index.ts'
import { extensionOptions, withExtensions } from './command-extensions.ts'
import { compilingWith } from './compiling.ts'
import { lineageReport, quoteIn, quoteReport, receiptLineage } from './lineage-report.ts'
import { receiptReport, receiptTable } from './receipt-report.ts'
import { costLine } from './session-report.ts'
import { heldBy, sentItem } from './receipt-text.ts'
import type { Receipts } from './receipts.ts'
import { receiptOptions, sessionNamed, withReceipts } from './receipts.ts'
import { hanging } from './wrap-text.ts'
import type { CompileAgain, JudgedReceipt } from '../sessions/index.ts'
import type { ReceiptSummary } from '../stores/index.ts'
import type { Io } from './io.ts'

const usualLimit = 20

export const packsCommand = command({
  name: 'packs',
  about: 'list receipts, or show one: what the model saw, why, and what it cost',
  positional: { name: 'PACK', about: 'a request id or a pack id', least: 0, most: 1 },
  options: {
    ...receiptOptions,
    session: { type: 'text', about: 'only those of this session', placeholder: 'SESSION' },
    limit: {
      type: 'number',
      about: 'how many',
      placeholder: 'N',
      min: 1,
      max: 1000,
      fallback: String(usualLimit),
    },
    before: {
      type: 'number',
      about: 'older than the one with this sequence number',
      placeholder: 'SEQUENCE',
      min: 0,
    },
    item: { type: 'text', about: 'print this item of PACK as it was sent, and nothing else', placeholder: 'ITEM' },
    handle: {
      type: 'text',
      about: 'print what this handle in PACK stands for, and nothing else',
      placeholder: 'HANDLE',
    },
    lineage: { type: 'flag', about: 'of PACK: tokens by section and item, and where each item is from' },
    quote: {
      type: 'text',
      about: 'of PACK: the items that say this text, shown or left out, with their lines and where they are from',
      placeholder: 'TEXT',
    },
    ...extensionOptions,
  },
  examples: [
    'prehend packs --limit 5',
    'prehend packs req_0123 --json',
    'prehend packs req_0123 --item result:call_7',
    'prehend packs req_0123 --lineage',
    'prehend packs --url http://127.0.0.1:8484',
  ],
  async run({ options, positionals: [id], io }) {
    await withReceipts(options, io, async (receipts) => {
      if (id !== undefined) {
        const receipt = await receipts.one(id)
        await withExtensions(options, async (extensions) => {
          show(receipt, { ...options, again: compilingWith(extensions).again }, io)
        })
        return
      }
      const part = (['item', 'handle', 'lineage', 'quote'] as const).find((name) => options[name] !== undefined)
      if (part !== undefined) throw invalidInput(`--${part}`, 'belongs to one receipt', 'Name its PACK, too')
      const { limit = usualLimit, before, session } = options
      const list = await receipts.list({
        limit,
        ...(before === undefined ? {} : { before }),
        ...(session === undefined ? {} : { session }),
      })
      // A session of compiles alone has receipts and no costs.
      const [known] = session === undefined ? [] : await receipts.sessions({ limit: 1, session })
      const of =
        known ?? (session !== undefined && list.length === 0 ? await sessionNamed(receipts, session) : undefined)
      if (options.json === true) io.out(`${JSON.stringify({ packs: list, ...(of && { session: of }) })}\n`)
      else {
        const older = await olderLine(receipts, list, options)
        const cost = of ? [`session: ${costLine(of.cost, list)}`] : []
        const notes = [...older, ...cost].map((line) => `\n${hanging(line, io.columns)}\n`)
        io.out(`${receiptTable(list, io.columns)}${notes.join('')}`)
      }
    })
  },
})

/** Says how to see the receipts that are older than those listed, where there are any. */
async function olderLine(
  receipts: Receipts,
  list: readonly ReceiptSummary[],
  {
    session,
    before,
    limit = usualLimit,
  }: { readonly session?: string; readonly before?: number; readonly limit?: number },
): Promise<readonly string[]> {
  const last = list.at(-1)
  if (last === undefined || list.length < limit) return []
  const of = session === undefined ? {} : { session }
  const [older] = await receipts.list({ limit: 1, before: last.sequence, ...of })
  if (older === undefined) return []
  const only =
    session === undefined ? '' : ` --session ${/^[\w.:-]+$/.test(session) ? session : JSON.stringify(session)}`
  return [
    `${before === undefined ? 'The newest ' : ''}${list.length} are shown. Older ones: prehend packs${only} --before ${last.sequence}; more at once: --limit N`,
  ]
}

interface Part {
  readonly item?: string
  readonly handle?: string
  readonly lineage?: boolean
  readonly quote?: string
  readonly json?: boolean
  readonly again: CompileAgain
}

function show(receipt: JudgedReceipt, { item, handle, lineage, quote, again, json = false }: Part, io: Io): void {
  if (item !== undefined) {
    const { same, ...entry } = sentItem(receipt, item, again)
    if (receipt.mode === 'observe') io.err('prehend: mode observe: this is what would have been sent\n')
    if (!same) io.err('prehend: compiled again, the request came out otherwise; this may not be what was sent\n')
    io.out(json ? `${JSON.stringify(entry)}\n` : `${entry.text}\n`)
  } else if (handle !== undefined) {
    const original = heldBy(receipt, handle)
    io.out(json ? `${JSON.stringify({ handle, ...original })}\n` : `${original.text}\n`)
  } else if (quote !== undefined) {
    const places = quoteIn(receipt, quote, again)
    io.out(json ? `${JSON.stringify({ quote, places })}\n` : quoteReport(places, receipt.requestId, io.columns))
  } else if (lineage === true) {
    const made = receiptLineage(receipt)
    io.out(json ? `${JSON.stringify(made)}\n` : lineageReport(made, io.columns))
  } else io.out(json ? `${JSON.stringify(receipt)}\n` : receiptReport(receipt, io.columns))
}
