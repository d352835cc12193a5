import './Spark.css'

interface Props {
  /** One value for each bar, oldest first. */
  readonly values: readonly number[]
  readonly label: string
}

const bar = 2
const gap = 1
const height = 18

/** A sparkline of bars. Zero is a thin line, so that minutes without deliveries are visible. */
export function Spark({ values, label }: Props) {
  const top = Math.max(1, ...values)
  const width = values.length * (bar + gap) - gap
  return (
    <svg className="spark" role="img" aria-label={label} width={width} height={height}>
      <title>{label}</title>
      {values.map((value, index) => {
        const size = value === 0 ? 1 : Math.max(2, Math.round((value / top) * height))
        return (
          <rect
            // Each index is a minute, so the index is the key.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            className={value === 0 ? 'spark-none' : index === values.length - 1 ? 'spark-now' : ''}
            x={index * (bar + gap)}
            y={height - size}
            width={bar}
            height={size}
            rx={0.5}
          />
        )
      })}
    </svg>
  )
}
