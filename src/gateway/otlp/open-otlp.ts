import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import type { Tracing } from '../../tracing/index.ts'
import type { Logger } from '../telemetry/logger.ts'
import { callMetrics } from './call-metrics.ts'
import { otlpExporter } from './otlp-exporter.ts'
import { otlpMetrics } from './otlp-metrics.ts'
import type { ShownMetric } from './otlp-metrics.ts'
import type { OtlpSettings } from './otlp-settings.ts'
import { otlpTracing } from './otlp-tracing.ts'
import { nanosOf } from './otlp-values.ts'

export interface OtlpParts {
  readonly settings: OtlpSettings
  readonly registry: Registry
  readonly logger: Logger
  /** Tells this process from others. */
  readonly instance: string
  readonly fetch?: typeof globalThis.fetch
}

/** Spans and metrics on their way to a collector. */
export interface Otlp {
  /** Undefined where spans are not wanted. */
  readonly tracing: Tracing | undefined
  /** Sends what there is a last time. */
  close(): Promise<void>
}

export function openOtlp({ settings, registry, logger, instance, fetch = globalThis.fetch }: OtlpParts): Otlp {
  const ending = new AbortController()
  const exporter = otlpExporter({
    settings,
    resource: { 'service.instance.id': instance },
    fetch,
    logger,
    wait: (ms) => delay(ms, undefined, { ref: false, signal: ending.signal }).catch(() => undefined),
  })
  const nowMs = (): number => performance.timeOrigin + performance.now()
  const startMs = nowMs()
  const calls = callMetrics()
  const tracing = otlpTracing({
    nowMs,
    randomHex: (bytes) => randomBytes(bytes).toString('hex'),
    ended(spans, { children }) {
      if (settings.metrics) calls.count(children)
      if (settings.traces) exporter.spans(spans)
    },
  })

  const sendMetrics = async (): Promise<void> => {
    const times = { startTimeUnixNano: nanosOf(startMs), timeUnixNano: nanosOf(nowMs()) }
    const shown = (await registry.getMetricsAsJSON()) as unknown as readonly ShownMetric[]
    await exporter.metrics([...otlpMetrics(shown, times), ...calls.metrics(times)])
  }

  const timer = settings.metrics ? setInterval(() => void sendMetrics(), settings.intervalMs) : undefined
  timer?.unref()
  return {
    tracing: settings.traces || settings.metrics ? tracing : undefined,
    async close() {
      clearInterval(timer)
      ending.abort()
      await Promise.all([exporter.flush(), settings.metrics ? sendMetrics() : undefined])
    },
  }
}
