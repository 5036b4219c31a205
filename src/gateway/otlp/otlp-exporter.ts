import type { Logger } from '../telemetry/logger.ts'
import type { OtlpSettings } from './otlp-settings.ts'
import { otlpAttributes } from './otlp-values.ts'
import type { OtlpMetric } from './otlp-metrics.ts'
import type { OtlpSpan } from './otlp-tracing.ts'
import { nameOfError } from '../telemetry/name-of-error.ts'

export interface ExporterParts {
  readonly settings: OtlpSettings
  /** Attributes of the resource that the process adds. */
  readonly resource: Readonly<Record<string, string>>
  readonly fetch: typeof fetch
  readonly wait: (ms: number) => Promise<void>
  readonly logger: Logger
}

/** Sends to a collector. What it does not take is lost, and logged; nothing waits for it. */
export interface OtlpExporter {
  /** Sent a little later, together with what comes meanwhile. */
  spans(spans: readonly OtlpSpan[]): void
  metrics(metrics: readonly OtlpMetric[]): Promise<void>
  /** Sends what waits. */
  flush(): Promise<void>
}

const spansMs = 2000
const timeoutMs = 10_000
/** What waits while a collector is away; what comes beyond that is lost. */
const mostWaiting = 10_000
const mostOfBatch = 2000
/** Answers after which the same is sent once more. */
const retried: ReadonlySet<number> = new Set([429, 502, 503, 504])
const retryMs = 1000

export function otlpExporter({ settings, resource, fetch, wait, logger }: ExporterParts): OtlpExporter {
  const { serviceName, resource: named } = settings
  const about = { attributes: otlpAttributes({ ...resource, 'service.name': serviceName, ...named }) }
  const scope = { name: 'prehend' }
  const base = settings.endpoint.replace(/\/+$/, '')
  let waiting: OtlpSpan[] = []
  let sending: Promise<void> | undefined
  let lost = 0

  const post = (path: string, body: object): Promise<Response> =>
    fetch(`${base}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...settings.headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })

  const send = async (path: string, body: object): Promise<void> => {
    try {
      const first = await post(path, body)
      await first.body?.cancel()
      if (first.ok) return
      if (retried.has(first.status)) {
        await wait(retryMs)
        const second = await post(path, body)
        await second.body?.cancel()
        if (second.ok) return
      }
      logger.warn('otlp-refused', { path, status: first.status })
    } catch (error) {
      logger.warn('otlp-failed', { path, reason: nameOfError(error) })
    }
  }

  const sendSpans = async (): Promise<void> => {
    while (waiting.length > 0) {
      const spans = waiting.slice(0, mostOfBatch)
      waiting = waiting.slice(mostOfBatch)
      await send('/v1/traces', { resourceSpans: [{ resource: about, scopeSpans: [{ scope, spans }] }] })
    }
    if (lost > 0) logger.warn('otlp-lost', { spans: lost })
    lost = 0
  }

  return {
    spans(spans) {
      if (waiting.length + spans.length > mostWaiting) {
        lost += spans.length
        return
      }
      waiting.push(...spans)
      sending ??= wait(spansMs)
        .then(sendSpans)
        .finally(() => (sending = undefined))
    },
    metrics: (metrics) =>
      send('/v1/metrics', { resourceMetrics: [{ resource: about, scopeMetrics: [{ scope, metrics }] }] }),
    flush: sendSpans,
  }
}
