import type { CompileInput, ConversationLedger, Item, Ledger, Manifest, OverlayPart, Policy } from '../../core/index.ts'
import type { Receipt } from '../tables/receipts/receipt.ts'
import type { StoredSummary } from '../tables/summaries/summaries-table.ts'

export function item(
  index: number,
  text = `text of item ${index}, long enough to be kept apart from the item it belongs to`,
): Item {
  return { id: `m${index}`, section: 'history', kind: 'text', role: 'user', text }
}

export function ledger(turns: number): ConversationLedger {
  const entries = Array.from({ length: turns }, (_, index) => ({
    key: `k${index}`,
    rung: 'line' as const,
    text: `line ${index}`,
    tokens: 2,
    originalTokens: 20,
    handle: `h${index}`,
  }))
  return {
    schema: 'prehend.ledger/2',
    layout: 'messages',
    epoch: 1,
    policyId: 'careful',
    entries,
    turns,
    lastRequestMs: turns * 1000,
    lastTokens: 10,
    lastOriginalTokens: 100,
    account: { passThrough: 5.5, actual: 4.25 },
    rehydrations: 0,
    regret: 0,
  }
}

function manifest(items: readonly Item[]): Manifest {
  return {
    schema: 'prehend.manifest/1',
    packHash: 'p',
    inputHash: 'i',
    policyId: 'careful',
    policyVersion: '1.0.0',
    tokenizerId: 'o200k',
    layout: 'messages',
    outcome: 'ok',
    windowTokens: 1000,
    reserveTokens: 100,
    overheadTokens: 3,
    originalTokens: 100,
    packTokens: 40,
    utilisation: 0.04,
    signals: { pressure: 0.1 },
    sections: [],
    decisions: items.map(({ id, section }) => ({
      itemId: id,
      section,
      contentHash: `c${id}`,
      rung: 'full',
      reason: 'fits',
      originalTokens: 10,
      tokens: 10,
    })),
    truncations: [],
  }
}

/** Kept and given back; a store never looks into it. */
const policy = { id: 'careful', version: '1.0.0', shares: [] } as unknown as Policy

function input(items: readonly Item[], before?: Ledger): CompileInput {
  return { items, budget: { windowTokens: 1000 }, policy, layout: 'messages', ...(before && { ledger: before }) }
}

export function receipt(
  requestId: string,
  items: readonly Item[] = [item(0)],
  before?: Ledger,
): Omit<Receipt, 'session' | 'createdMs'> {
  return {
    requestId,
    packId: `pack-of-${requestId}`,
    dialect: 'openai-chat',
    mode: 'on',
    model: 'gpt-5',
    step: { taskId: 'release', stepId: 'find' },
    origins: [{ itemId: 'i0', uri: 'artifact://build.log', retrievedAt: '2026-11-20T10:00:00Z' }],
    manifest: manifest(items),
    input: input(items, before),
  }
}

export function hidden(text: string): OverlayPart {
  const round = {
    messages: ['{"role":"assistant"}'],
    visibleBlocks: 1,
    visibleTextLength: 2,
    visibleReasoningLength: 0,
  }
  const visible = { visibleText: text, visibleCallIds: ['call_1'], visibleBlocks: 1, assistantIndex: 0 }
  return { kind: 'hidden-turn', turn: { ...visible, rounds: [round], calls: [], results: [] } }
}

export function summary(prose: string): StoredSummary {
  return { key: 'turns', writer: 'model', prose, itemIds: ['m0'], tokens: 9, sourceTokens: 90, writtenMs: 1 }
}
