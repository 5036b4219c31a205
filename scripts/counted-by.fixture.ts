import { compile, evidence, instruction, modelCatalogue, openSession, sha256 } from '../src/index.ts'
import type { CatalogueOptions } from '../src/index.ts'

/** Compiles a request and packs another; says how both were counted and what became of them, as JSON. */
export async function countedBy(options: CatalogueOptions): Promise<string> {
  const catalogue = modelCatalogue(options)
  const uri = 'https://wiki.example/build'
  const items = [
    instruction('Answer from the evidence.'),
    evidence('Der Bau brach am Montag: 日本語, naïve 🦊.', { sourceId: 'wiki', uri }, { scores: { relevance: 0.9 } }),
  ]
  const budget = { windowTokens: 8000 }
  const { manifest } = compile({ items, model: 'gpt-5', budget, frame: { request: 'What changed?' } }, { catalogue })
  const messages = [{ role: 'user', content: 'Was ist seit Montag anders? 🦊' }]
  const { request, receipt } = await openSession({ catalogue, id: 'one' }).pack({
    model: 'claude-opus-5',
    max_tokens: 9,
    messages,
  })
  const { tokenizerId, packHash } = manifest
  return JSON.stringify([tokenizerId, packHash, request, receipt?.packId, receipt?.manifest.packTokens, sha256('🦊')])
}
