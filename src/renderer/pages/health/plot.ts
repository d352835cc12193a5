import './language.ts'
import Chart from 'uplot'
import type { HealthOverview } from '#contract/health.ts'
import { clockMinutes, dayDate } from '#kit/text/time.ts'
import { downKinds, formatValue, type ChartSpec, type DownKind, type Series } from './specs.ts'
import 'uplot/dist/uPlot.min.css'

const height = 118
const leftAxis = 56
const rightAxis = 44
const topSpace = 8
const axisHeight = 22
const second = 1000
const day = 86_400
const fontSize = 10

/** Draws one chart. It has no cursor of its own: `mark` shows a bucket, from the mouse or the keyboard, in all charts. */
export class Plot {
  readonly #spec: ChartSpec
  readonly #chart: Chart
  readonly #cursor = document.createElement('div')
  readonly #resizes: ResizeObserver
  #overview: HealthOverview
  #marked: number | null = null

  constructor(parent: HTMLElement, spec: ChartSpec, overview: HealthOverview) {
    this.#spec = spec
    this.#overview = overview
    this.#chart = new Chart(this.#options(parent), dataOf(spec, overview), parent)
    this.#cursor.className =
      'health-cursor pointer-events-none absolute inset-y-0 left-0 bg-[color-mix(in_srgb,var(--ink)_14%,transparent)]'
    this.#cursor.hidden = true
    this.#chart.over.append(this.#cursor)
    this.#resizes = new ResizeObserver(() => {
      if (parent.clientWidth === this.#chart.width) return
      this.#chart.setSize({ width: parent.clientWidth, height })
      this.mark(this.#marked)
    })
    this.#resizes.observe(parent)
  }

  update(overview: HealthOverview): void {
    if (overview === this.#overview) return
    this.#overview = overview
    this.#chart.setData(dataOf(this.#spec, overview))
  }

  /** With the current colours of the theme. */
  redraw(): void {
    this.#chart.redraw()
  }

  /** The bucket at a position in the window; null: beside the chart. */
  indexAt(clientX: number): number | null {
    const { left, width } = this.#chart.over.getBoundingClientRect()
    const x = clientX - left
    if (x < 0 || x > width) return null
    const at = this.#chart.posToVal(x, 'x') * second
    const after = this.#overview.at.findIndex((start) => start > at)
    return after === -1 ? this.#overview.at.length - 1 : Math.max(0, after - 1)
  }

  mark(index: number | null): void {
    this.#marked = index
    this.#cursor.hidden = index === null
    if (index === null) return
    const { from, to } = bucketOf(this.#overview, index)
    const left = this.#chart.valToPos(from / second, 'x')
    this.#cursor.style.left = `${left}px`
    this.#cursor.style.width = `${Math.max(1, this.#chart.valToPos(to / second, 'x') - left)}px`
  }

  close(): void {
    this.#resizes.disconnect()
    this.#chart.destroy()
  }

  #options(parent: HTMLElement): Chart.Options {
    const colour = (token: string) => () => tokenColour(parent, token)
    const { series } = this.#spec
    const isDuration = series.some(({ scale }) => scale === 'duration')
    const main = isDuration ? 'duration' : 'count'
    const hasShare = series.some(({ scale }) => scale === 'share')
    const axis = {
      stroke: colour('--ink-3'),
      font: `${fontSize}px ${getComputedStyle(parent).fontFamily}`,
      ticks: { show: false },
      gap: 4,
    }
    return {
      width: parent.clientWidth,
      height,
      padding: [topSpace, hasShare ? 0 : rightAxis, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { range: () => [this.#overview.from / second, this.#overview.to / second] },
        count: { range: (_, __, max) => [0, Math.max(1, max) * 1.08] },
        // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- logarithmic; its enum exists only as types
        duration: { distr: 3 },
        share: { range: () => [0, 1.08] },
      },
      axes: [
        {
          ...axis,
          size: axisHeight,
          grid: { stroke: colour('--line-soft'), width: 1 },
          space: 74,
          values: timeLabels,
        },
        {
          ...axis,
          scale: main,
          size: leftAxis,
          grid: { stroke: colour('--line-soft'), width: 1 },
          space: 30,
          ...(isDuration ? { splits: powersOfTen } : { incrs: countSteps }),
          filter: (_, splits) => splits,
          values: (_, splits) => splits.map((value) => formatValue({ scale: main }, value)),
        },
        ...(hasShare ? [{ ...axis, ...shareAxis }] : []),
      ],
      series: [{}, ...series.map((one) => lineOrBars(one, colour))],
      hooks: { drawClear: [(chart) => drawDown(chart, this.#overview, parent)] },
    }
  }
}

const countSteps = Array.from({ length: 9 }, (_, power) =>
  [1, 2, 5].map((n) => n * 10 ** power),
).flat()

const shareAxis: Chart.Axis = {
  scale: 'share',
  // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- at the right; its enum exists only as types
  side: 1,
  size: rightAxis,
  grid: { show: false },
  splits: [0, 0.5, 1],
  values: (_, splits) => splits.map((value) => formatValue({ scale: 'share' }, value)),
}

function powersOfTen(_: Chart, __: number, min: number, max: number): number[] {
  const first = Math.ceil(Math.log10(min))
  const count = Math.floor(Math.log10(max)) - first + 1
  return Array.from({ length: Math.max(0, count) }, (___, power) => 10 ** (first + power))
}

function timeLabels(_: Chart, splits: number[], __: number, ___: number, step: number): string[] {
  return splits.map((at) => {
    const time = new Date(at * second)
    const isMidnight = time.getHours() === 0 && time.getMinutes() === 0
    return step >= day || isMidnight ? dayDate(at * second) : clockMinutes(at * second)
  })
}

function lineOrBars(
  { scale, shape, token, dash }: Series,
  colour: (token: string) => () => string,
): Chart.Series {
  const bars = Chart.paths.bars?.({ size: [0.82, 40], align: 0 })
  if (shape === 'bars' && bars) {
    return { scale, paths: bars, fill: colour(token), width: 0, points: { show: false } }
  }
  return {
    scale,
    stroke: colour(token),
    width: 1.5,
    ...(dash && { dash: [...dash] }),
    points: { size: 4, fill: colour(token), filter: alonePoints },
  }
}

/** A line shows no value that has none beside it, so it gets a point. */
function alonePoints(chart: Chart, seriesIndex: number): number[] | null {
  const values = chart.data[seriesIndex] ?? []
  const isSet = (index: number): boolean => (values[index] ?? null) !== null
  const alone: number[] = []
  for (let index = 0; index < values.length; index += 1) {
    if (isSet(index) && !isSet(index - 1) && !isSet(index + 1)) alone.push(index)
  }
  return alone.length === 0 ? null : alone
}

function bucketOf({ at, from, to }: HealthOverview, index: number): { from: number; to: number } {
  return { from: at[index] ?? from, to: at[index + 1] ?? to }
}

function dataOf({ series, stacked }: ChartSpec, overview: HealthOverview): Chart.AlignedData {
  const middles = overview.at.map((_, index) => {
    const { from, to } = bucketOf(overview, index)
    return (from + to) / 2 / second
  })
  const values = series.map(({ values: read, scale }) =>
    read(overview).map((value) =>
      value !== null && scale === 'duration' ? Math.max(1, value) : value,
    ),
  )
  if (!stacked) return [middles, ...values]
  return [
    middles,
    ...values.map((own, first) =>
      own.map((value, index) =>
        value === 0 ? null : values.slice(first).reduce((sum, one) => sum + (one[index] ?? 0), 0),
      ),
    ),
  ]
}

/** Of a token that may depend on the theme: the canvas needs its current value. The element has no text that shows it. */
function tokenColour(parent: HTMLElement, token: string): string {
  parent.style.textDecorationColor = `var(${token})`
  return getComputedStyle(parent).textDecorationColor
}

const downTokens = {
  tabscope: '--ink-3',
  tunnel: '--warning',
  relay: '--info',
} as const satisfies Record<DownKind, string>

/** Bands behind the values where nothing could arrive. Each kind has its own hatching, as in the legend. */
function drawDown(chart: Chart, overview: HealthOverview, parent: HTMLElement): void {
  const { ctx, bbox } = chart
  const position = (at: number): number => chart.valToPos(at / second, 'x', true)
  for (const kind of downKinds) {
    const shares = overview.down[kind]
    if (shares.every((share) => share === 0)) continue
    ctx.save()
    ctx.fillStyle = hatching(ctx, kind, tokenColour(parent, downTokens[kind])) ?? ''
    for (const [index, share] of shares.entries()) {
      if (share === 0) continue
      const { from, to } = bucketOf(overview, index)
      ctx.globalAlpha = 0.35 + 0.65 * share
      ctx.fillRect(position(from), bbox.top, position(to) - position(from), bbox.height)
    }
    ctx.restore()
  }
}

function hatching(context: CanvasRenderingContext2D, kind: DownKind, colour: string) {
  const size = 8 * devicePixelRatio
  const tile = document.createElement('canvas')
  tile.width = size
  tile.height = size
  const drawing = tile.getContext('2d')
  if (!drawing) return null
  drawing.strokeStyle = colour
  drawing.fillStyle = colour
  drawing.globalAlpha = 0.12
  drawing.fillRect(0, 0, size, size)
  drawing.globalAlpha = 0.55
  drawing.lineWidth = devicePixelRatio
  drawing.beginPath()
  if (kind === 'relay') {
    drawing.moveTo(size / 2, 0)
    drawing.lineTo(size / 2, size)
  } else {
    // Beyond the corners, so that the lines of neighbouring tiles meet.
    for (const shift of [-size, 0, size]) {
      const rises = kind === 'tabscope'
      drawing.moveTo(shift - 1, rises ? size + 1 : -1)
      drawing.lineTo(shift + size + 1, rises ? -1 : size + 1)
    }
  }
  drawing.stroke()
  return context.createPattern(tile, 'repeat')
}
