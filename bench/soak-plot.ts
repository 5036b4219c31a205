/** How things stood at one moment of a soak. */
export interface SoakSample {
  readonly minutes: number
  readonly requests: number
  readonly residentMb: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const width = 900
const height = 180
const margin = { left: 60, top: 30, bottom: 30, right: 20 }

interface Line {
  readonly name: string
  readonly color: string
  readonly read: (sample: SoakSample) => number
}

/** Memory and latency over time, as SVG. */
export function soakPlot(samples: readonly SoakSample[]): string {
  const panels = [
    panel(samples, 'resident memory, MB', [{ name: 'resident', color: '#2563eb', read: (one) => one.residentMb }], 0),
    panel(
      samples,
      'latency, ms',
      [
        { name: 'p50', color: '#16a34a', read: (one) => one.p50Ms },
        { name: 'p99', color: '#dc2626', read: (one) => one.p99Ms },
      ],
      1,
    ),
  ]
  const open = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${2 * height}" font-family="sans-serif" font-size="12">`
  return `${open}\n<rect width="100%" height="100%" fill="white"/>\n${panels.join('\n')}\n</svg>\n`
}

function panel(samples: readonly SoakSample[], title: string, lines: readonly Line[], row: number): string {
  const last = Math.max(1e-9, ...samples.map(({ minutes }) => minutes))
  const values = lines.flatMap(({ read }) => samples.map(read)).filter(Number.isFinite)
  const most = roundUp(Math.max(1, ...values))
  const top = row * height + margin.top
  const bottom = (row + 1) * height - margin.bottom
  const x = (minutes: number): number => margin.left + (minutes / last) * (width - margin.left - margin.right)
  const y = (value: number): number => bottom - (value / most) * (bottom - top)
  const grid = [0, 0.5, 1].map((share) => {
    const at = y(share * most).toFixed(1)
    const label = `<text x="${margin.left - 8}" y="${at}" text-anchor="end" dominant-baseline="middle">${share * most}</text>`
    return `<line x1="${margin.left}" x2="${width - margin.right}" y1="${at}" y2="${at}" stroke="#ddd"/>${label}`
  })
  const ticks = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      `<text x="${x(share * last).toFixed(1)}" y="${bottom + 16}" text-anchor="middle">${Math.round(share * last)} min</text>`,
  )
  const drawn = lines.map(({ name, color, read }, index) => {
    const points = samples
      .filter((sample) => Number.isFinite(read(sample)))
      .map((sample) => `${x(sample.minutes).toFixed(1)},${y(read(sample)).toFixed(1)}`)
    const legend = `<text x="${width - margin.right - 60 * (lines.length - index)}" y="${top - 10}" fill="${color}">${name}</text>`
    return `<polyline fill="none" stroke="${color}" stroke-width="1.5" points="${points.join(' ')}"/>${legend}`
  })
  const heading = `<text x="${margin.left}" y="${top - 10}" font-weight="bold">${title}</text>`
  return [heading, ...grid, ...ticks, ...drawn].join('\n')
}

/** To the next 1, 2 or 5 with zeros. */
function roundUp(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value))
  return [1, 2, 5, 10].map((step) => step * unit).find((step) => step >= value) ?? value
}
