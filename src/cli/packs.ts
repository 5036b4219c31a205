import { command } from './command.ts'
import { receiptReport, receiptTable } from './receipt-report.ts'
import { receiptOptions, withReceipts } from './receipts.ts'

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
      fallback: '20',
    },
    before: {
      type: 'number',
      about: 'older than the one with this sequence number',
      placeholder: 'SEQUENCE',
      min: 0,
    },
  },
  examples: ['prehend packs --limit 5', 'prehend packs req_0123 --json', 'prehend packs --url http://127.0.0.1:8484'],
  async run({ options, positionals: [id], io }) {
    await withReceipts(options, io, async (receipts) => {
      if (id !== undefined) {
        const receipt = await receipts.one(id)
        io.out(options.json === true ? `${JSON.stringify(receipt)}\n` : receiptReport(receipt))
        return
      }
      const { limit = 20, before, session } = options
      const list = await receipts.list({
        limit,
        ...(before === undefined ? {} : { before }),
        ...(session === undefined ? {} : { session }),
      })
      io.out(options.json === true ? `${JSON.stringify({ packs: list })}\n` : receiptTable(list))
    })
  },
})
