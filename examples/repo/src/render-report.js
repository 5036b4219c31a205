import { stringifyCsv } from './csv.js'
import { formatTable } from './format-table.js'
import { formatCents } from './money.js'

const titles = { article: 'Article', warehouse: 'Warehouse' }

/**
 * @param {ReturnType<import('./report.js').reportRows>} report
 * @param {{ by: 'warehouse' | 'article', csv?: boolean }} options
 */
export function renderReport(report, { by, csv = false }) {
  return csv ? renderCsv(report, by) : renderTable(report, by)
}

function renderTable({ rows, total, shortages }, by) {
  const columns = [
    { title: titles[by] },
    { title: 'Quantity', align: 'right' },
    { title: 'Value', align: 'right' },
    { title: 'Oldest lot' },
    { title: '' },
  ]
  const cells = (row) => [row.name, formatQuantity(row.quantity), formatCents(row.cents), row.oldest, row.low ? 'LOW' : '']
  const table = formatTable(columns, rows.map(cells), { footer: cells(total) })
  const lines = shortages.map(
    ({ date, warehouse, article, missing }) => `short on ${date}: ${formatQuantity(missing)} x ${article} in ${warehouse}`,
  )
  return lines.length === 0 ? table : `${table}\n${lines.join('\n')}\n`
}

function renderCsv({ rows }, by) {
  const header = [by, 'quantity', 'value', 'oldest']
  return stringifyCsv([header, ...rows.map((row) => [row.name, row.quantity, formatCents(row.cents), row.oldest])])
}

/** Up to three decimals, without trailing zeros. */
export function formatQuantity(quantity) {
  return String(Math.round(quantity * 1000) / 1000)
}
