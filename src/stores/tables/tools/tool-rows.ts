import type { JsonValue } from '../../../core/index.ts'
import type { PortableCell } from '../../kernel/portable.ts'
import type { Row } from '../../kernel/table.ts'
import { toolRecordKinds } from './tool-record.ts'
import type { ToolCallRecord, ToolRecord, ToolUsage, ToolWrite } from './tool-record.ts'

type Columns = Readonly<Record<string, unknown>>

export const callColumns = ['tenant', 'id', 'tool', 'outcome', 'took_ms', 'tokens', 'at_ms', 'session', 'request_id']

/** What a write does, and what it needs for that. */
export function toolRow(write: ToolWrite): Row {
  if ('put' in write) return ['put', write.put, write.kind, JSON.stringify(write.value)]
  if ('drop' in write) return ['drop', write.drop]
  if ('offered' in write) return ['offered', JSON.stringify(write.offered)]
  const { id, tool, outcome, tookMs, tokens, session = null, requestId = null } = write.call
  return ['call', id, tool, outcome, tookMs, tokens, session, requestId]
}

/** Tools of a row that counts offers; none is counted twice. */
export function offeredIn(json: unknown): readonly string[] {
  return [...new Set(JSON.parse(String(json)) as readonly string[])]
}

export function recordIn({ id, kind, value, written_ms: writtenMs }: Columns): ToolRecord {
  return {
    id: String(id),
    kind: toolRecordKinds.find((one) => one === kind) ?? 'own',
    value: JSON.parse(String(value)) as JsonValue,
    writtenMs: Number(writtenMs),
  }
}

export function callIn(row: Columns): ToolCallRecord {
  const { session, request_id: requestId } = row
  return {
    id: String(row['id']),
    tool: String(row['tool']),
    outcome: String(row['outcome']),
    tookMs: Number(row['took_ms']),
    tokens: Number(row['tokens']),
    atMs: Number(row['at_ms']),
    ...(typeof session === 'string' && { session }),
    ...(typeof requestId === 'string' && { requestId }),
  }
}

export function callCells(tenant: string, call: ToolCallRecord): readonly PortableCell[] {
  const { id, tool, outcome, tookMs, tokens, atMs, session = null, requestId = null } = call
  return [tenant, id, tool, outcome, tookMs, tokens, atMs, session, requestId]
}

export function usageIn(rows: readonly Columns[]): Readonly<Record<string, ToolUsage>> {
  const entries = rows.map(({ tool, offered, called, failed, tokens }) => {
    const usage = { offered: Number(offered), called: Number(called), failed: Number(failed), tokens: Number(tokens) }
    return [String(tool), usage] as const
  })
  return Object.fromEntries(entries)
}

/** Whether a call counts as failed: not where its caller got it wrong or went away. */
export function isFailure(outcome: unknown): boolean {
  return !blameless.has(String(outcome))
}

const blameless = new Set(['ok', 'cancelled', 'invalid-arguments', 'out-of-scope', 'unknown-tool'])
