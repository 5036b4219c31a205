import type { Io } from './io.ts'

/**
 * The collector that the variables of OpenTelemetry's SDKs name, where the file names none.
 * https://opentelemetry.io/docs/specs/otel/protocol/exporter/
 */
export function otlpOf(environment: Io['environment'], fromFile: unknown): unknown {
  const endpoint = environment['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? ''
  const isDisabled = environment['OTEL_SDK_DISABLED']?.toLowerCase() === 'true'
  if (fromFile !== undefined || endpoint === '' || isDisabled) return fromFile
  const { 'service.name': named, ...resource } = pairsIn(environment['OTEL_RESOURCE_ATTRIBUTES'])
  const serviceName = environment['OTEL_SERVICE_NAME'] || named
  const headers = pairsIn(environment['OTEL_EXPORTER_OTLP_HEADERS'])
  return {
    endpoint,
    headers,
    resource,
    traces: environment['OTEL_TRACES_EXPORTER'] !== 'none',
    metrics: environment['OTEL_METRICS_EXPORTER'] !== 'none',
    ...(serviceName !== undefined && { serviceName }),
  }
}

/** `name=value,name=value`, with values as in addresses. */
function pairsIn(text = ''): Readonly<Record<string, string>> {
  return Object.fromEntries(
    text.split(',').flatMap((pair) => {
      const split = pair.indexOf('=')
      return split > 0 ? [[pair.slice(0, split).trim(), decoded(pair.slice(split + 1).trim())] as const] : []
    }),
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
