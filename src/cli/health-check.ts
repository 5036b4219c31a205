/** What one check of `doctor` found. */
export interface HealthCheck {
  readonly name: string
  readonly state: 'ok' | 'warning' | 'failed'
  readonly detail: string
  readonly remedy?: string
}

export function ok(name: string, detail: string): HealthCheck {
  return { name, state: 'ok', detail }
}

export function warning(name: string, detail: string, remedy: string): HealthCheck {
  return { name, state: 'warning', detail, remedy }
}

export function failed(name: string, detail: string, remedy: string): HealthCheck {
  return { name, state: 'failed', detail, remedy }
}
