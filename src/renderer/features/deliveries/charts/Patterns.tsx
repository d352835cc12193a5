import type { ChartKind } from './readout.ts'

/** Textures that distinguish series without relying on color. */
const textures = ['solid', 'hatch', 'dots', 'back'] as const
type Texture = (typeof textures)[number]

function textureOf(by: ChartKind, series: number): Texture {
  if (by === 'verdict')
    return (['solid', 'solid', 'hatch', 'dots', 'back'] as const)[series] ?? 'solid'
  // Neighboring series get different textures.
  if (by === 'type') return textures[Math.floor(series / 5) % textures.length] ?? 'solid'
  return series === 0 || series === 6 ? 'hatch' : 'solid'
}

/** The color of a series, set as `color` so that its texture can use `currentColor`. */
function fillOf(by: ChartKind, key: string, series: number): { readonly color: string } {
  return { color: `var(--${colorOf(by, key, series)})` }
}

const verdictColors: Readonly<Record<string, string>> = {
  valid: 'chart-quiet',
  missing: 'warning',
  unchecked: 'unsigned',
}

function colorOf(by: ChartKind, key: string, series: number): string {
  if (key === 'others' || key === 'unknown' || key === 'empty') return 'line-strong'
  if (by === 'verdict') return verdictColors[key] ?? key
  if (by === 'type') return `chart-${(series % 5) + 1}`
  if (by === 'lag' && key === 'below-0') return 'warning'
  return `chart-step-${series}`
}

export function patternFill(id: string, series: number): string {
  return `url(#${id}-${series})`
}

/** SVG patterns, one for each series. */
export function Patterns(props: {
  readonly id: string
  readonly by: ChartKind
  readonly keys: readonly string[]
}) {
  const { id, by, keys } = props
  return (
    <defs>
      {keys.map((key, series) => (
        <pattern
          key={key}
          id={`${id}-${series}`}
          style={fillOf(by, key, series)}
          width={5}
          height={5}
          patternUnits="userSpaceOnUse"
        >
          <Texture texture={textureOf(by, series)} />
        </pattern>
      ))}
    </defs>
  )
}

/** What is drawn over the wash of a texture that is not solid. */
const inks = {
  hatch: <path className="stroke" d="M-1 1 1 -1M0 5 5 0M4 6 6 4" />,
  back: <path className="stroke" d="M-1 4 1 6M0 0 5 5M4 -1 6 1" />,
  dots: <circle className="ink" cx={2.5} cy={2.5} r={1.3} />,
}

function Texture({ texture }: { readonly texture: Texture }) {
  if (texture === 'solid') return <rect className="ink" width={5} height={5} />
  return (
    <>
      <rect className="wash" width={5} height={5} />
      {inks[texture]}
    </>
  )
}

/** The color swatch of a series in the legend. */
export function Swatch(props: {
  readonly by: ChartKind
  readonly name: string
  readonly series: number
}) {
  const { by, name, series } = props
  return (
    <svg width={10} height={10} viewBox="0 0 5 5" aria-hidden>
      <g style={fillOf(by, name, series)}>
        <Texture texture={textureOf(by, series)} />
      </g>
    </svg>
  )
}
