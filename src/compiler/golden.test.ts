import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CompileInput, CompileResult } from '../core/index.ts'
import { policies } from './policy/policies.ts'
import { newCompiler } from './word-tokens.fixture.ts'

const folder = resolve(import.meta.dirname, 'fixtures')

/** A case is a folder with `input.json`; `npx vitest run src/compiler -u` writes what is expected. */
const cases = readdirSync(folder).filter((name) => existsSync(resolve(folder, name, 'input.json')))

function inputOf(name: string): CompileInput {
  const { policy, reserveShare = 0, ...input } = JSON.parse(readFileSync(resolve(folder, name, 'input.json'), 'utf8'))
  return { ...input, policy: { ...policies[policy], version: '0.0.0-golden', reserveShare } }
}

function messagesOf({ pack, outcome }: CompileResult): string {
  const pages = outcome.kind === 'paginated' ? outcome.pages : pack === undefined ? [] : [pack]
  return pages
    .map(({ messages }) =>
      messages.map(({ role, text }) => `=== ${role}\n${text}${text.endsWith('\n') ? '' : '\n'}`).join(''),
    )
    .join('=== next page\n')
}

/** The receipt without what another file or a hash says; one line per decision. */
function receiptOf({ manifest, outcome }: CompileResult): string {
  const {
    decisions,
    sections,
    packHash: _p,
    inputHash: _i,
    truncations: _t,
    utilisation,
    shadowPrice,
    ...rest
  } = manifest
  const lines = [
    ...Object.entries(rest).map(([key, value]) => `${key}: ${JSON.stringify(value)}`),
    `utilisation: ${utilisation.toFixed(3)}`,
    `shadowPrice: ${shadowPrice?.toFixed(6) ?? 'none'}`,
    `outcome: ${JSON.stringify({ ...outcome, pages: undefined })}`,
    '',
    ...sections
      .filter(({ included, excluded }) => included + excluded > 0)
      .map(
        ({ section, allocatedTokens, usedTokens, demandTokens, included, excluded }) =>
          `${section}: ${usedTokens} of ${allocatedTokens} for ${demandTokens}, ${included} shown, ${excluded} not`,
      ),
    '',
    ...decisions.map(
      ({ itemId, rung, reason, tokens, originalTokens, score, handle }) =>
        `${itemId}: ${rung}, ${reason}, ${tokens} of ${originalTokens}, score ${score?.toFixed(3)}, handle ${handle ?? 'none'}`,
    ),
  ]
  return `${lines.join('\n')}\n`
}

describe('golden packs', () => {
  it.each(cases)('A-044, A-046, P-025: %s', async (name) => {
    const result = newCompiler().compile(inputOf(name))
    await expect(messagesOf(result)).toMatchFileSnapshot(resolve(folder, name, 'messages.txt'))
    await expect(receiptOf(result)).toMatchFileSnapshot(resolve(folder, name, 'receipt.txt'))
  })
})
