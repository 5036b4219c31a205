import type { CompileInput, CompileResult } from '../../core/index.ts'
import {
  compileMemory,
  originalsOf,
  partsFor,
  readCompileBody,
  requireEvidence,
  storeItemArtifacts,
  storeManifest,
  tracedUris,
  withinDeadline,
} from '../../sessions/index.ts'
import { openSpan, stageSpans } from '../../tracing/index.ts'
import type { SpanAttributes, SpanRecord } from '../../tracing/index.ts'
import type { GatewayParts } from '../parts.ts'
import { ownSettings } from '../tenant-settings.ts'
import { tellCompile } from '../telemetry/tell-compile.ts'

export interface CompileRequest {
  readonly tenant: string
  readonly session: string
  readonly requestId: string
  readonly body: string
  /** Whether somebody wants to know how its stages went. */
  readonly isTraced?: boolean
}

/** Counts for models that are not named. */
const usualModel = 'gpt-4.1'

export interface CompileAnswer {
  /** The result, with the request's id. */
  readonly json: string
  readonly hasPack: boolean
  /** Whether the store has the receipt. */
  readonly isFiled: boolean
  /** Of the compile, where it was to be traced. */
  readonly span?: SpanRecord
}

/** Compiles a document, wherever. Rejects on bad input. */
export type Compile = (request: CompileRequest) => Promise<CompileAnswer>

/**
 * Compiles a document and keeps its receipt, and what its handles bring back: without the latter there is no answer. Throws on
 * bad input.
 */
export async function compileRoute(
  parts: GatewayParts,
  { tenant, session, requestId, body, isTraced = false }: CompileRequest,
): Promise<CompileAnswer> {
  const { compile } = partsFor(parts.sessionParts, tenant)
  const { handleKey } = parts.sessionParts
  const own = ownSettings(parts.config, tenant)
  const input = readCompileBody(body, {
    policy: own?.policy ?? parts.config.policy,
    policies: parts.policies.of(tenant),
    situation: { tenant },
    catalogue: parts.catalogueOf(tenant),
    dialects: parts.dialects,
    handleKey: handleKey(tenant),
  })
  await requireEvidence(parts, tenant, input.items)
  const { model = usualModel } = input
  const span = isTraced ? openSpan('prehend.compile') : undefined
  const result = compile(model, input, compileMemory(), span && stageSpans(() => span))
  const uri = await filedManifest(parts, { tenant, session, requestId }, { input, result })
  span?.set(compileAttributes(model, result))
  const uris = tracedUris([...(uri === undefined ? [] : [uri]), ...(result.manifest.artifactUris ?? [])])
  if (uris.length > 0) {
    span?.set({ 'prehend.artifact.uris': uris })
    parts.logger.info('compiled', {
      requestId,
      'packId': result.manifest.packHash,
      'prehend.artifact.uris': uris.join(' '),
    })
  }
  const record = span?.record()
  tellCompile(parts, { tenant, session, requestId, ...result })
  const isFiled = await filedReceipt(parts, { tenant, session, requestId }, { model, input, result })
  await movedItems(parts, { tenant, session, requestId }, { model, input, result })
  const json = JSON.stringify({ requestId, ...(uri !== undefined && { manifestUri: uri }), ...result })
  return { json, hasPack: result.pack !== undefined, isFiled, ...(record && { span: record }) }
}

interface Compiled {
  readonly model: string
  readonly input: CompileInput
  readonly result: CompileResult
}

/** Stores the items that the pack shows as extracts with a URI. */
async function movedItems(
  parts: GatewayParts,
  of: Pick<CompileRequest, 'tenant' | 'session' | 'requestId'>,
  { input, result: { manifest } }: Compiled,
): Promise<void> {
  const { artifactUris: uris = [] } = manifest
  if (uris.length === 0) return
  const { taskId, stepId } = input.scope ?? {}
  const originals = originalsOf(input.items, manifest)
  await storeItemArtifacts(parts, { ...of, taskId, stepId }, { originals, uris })
}

/** Whether the store has the receipt. Rejects where handles of the answer would bring nothing back. */
async function filedReceipt(
  parts: GatewayParts,
  { tenant, session, requestId }: Pick<CompileRequest, 'tenant' | 'session' | 'requestId'>,
  { model, input, result }: Compiled,
): Promise<boolean> {
  const { recordsContent } = partsFor(parts.sessionParts, tenant)
  const originals = originalsOf(input.items, result.manifest, { requestId })
  const filing = parts.store.commit({
    scope: { tenant, session, lane: 'compile' },
    nowMs: parts.clock(),
    writes: [
      {
        table: 'receipts',
        receipt: {
          requestId,
          packId: result.manifest.packHash,
          dialect: 'compile',
          mode: 'on',
          model,
          manifest: result.manifest,
          ...(recordsContent && { input }),
        },
      },
      { table: 'originals', originals },
    ],
  })
  return withinDeadline(filing, parts.config.limits.stageMs).then(
    () => true,
    (error: unknown) => {
      parts.skipped('store', error, requestId)
      if (originals.length > 0) throw error
      return false
    },
  )
}

/** The URI of the manifest of a pack that was made for a task. The answer does not wait for more than a stage may take. */
async function filedManifest(
  parts: GatewayParts,
  { tenant, session, requestId }: Pick<CompileRequest, 'tenant' | 'session' | 'requestId'>,
  { input, result }: Pick<Compiled, 'input' | 'result'>,
): Promise<string | undefined> {
  const { taskId, stepId } = input.scope ?? {}
  if (taskId === undefined || !result.pack) return undefined
  const storing = storeManifest(parts, { tenant, taskId, stepId, session, requestId }, result.manifest)
  return withinDeadline(storing, parts.config.limits.stageMs).catch((error: unknown) => {
    parts.skipped('artifacts', error, requestId)
    return undefined
  })
}

function compileAttributes(model: string, { manifest }: CompileResult): SpanAttributes {
  return {
    'gen_ai.request.model': model.slice(0, 200),
    'prehend.pack.id': manifest.packHash,
    'prehend.tokens.in': manifest.originalTokens,
    'prehend.tokens.out': manifest.packTokens,
    'prehend.outcome': manifest.outcome,
  }
}
