import './Spark.css'

interface Props {
  /** One value a bar, oldest first. */
  readonly values: readonly number[]
  /** What the picture says, in words. */
  readonly label: string
}

const bar = 2
const gap = 1
const height = 18

/** A sparkline of bars. Zero is a hairline, so that a quiet hour is still seen as an hour. */
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
            // The place is the minute: bars have no other identity.
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
