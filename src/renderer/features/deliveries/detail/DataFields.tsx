import type { EventType } from '#catalogue/define.ts'
import { field } from '#catalogue/payload.ts'
import { counted } from '../../../components/text/numbers.ts'
import { FieldRow } from './FieldRow.tsx'
import { guessFormat } from './field-format.ts'
import { dataFieldState, extraFieldState } from './field-state.ts'

const extrasDrawn = 100

interface Props {
  readonly data: unknown
  /** Undefined: the document does not know the type. */
  readonly known: EventType | undefined
  readonly brand: string
}

/** Every field of `data`: those of the document's table in its order, then those that it does not name. */
export function DataFields({ data, known, brand }: Props) {
  const declared = known?.data ?? []
  const extras = keysOf(data).filter((key) => !declared.some((one) => one.key === key))
  if (declared.length === 0 && extras.length === 0) {
    return (
      <p className="ticket-empty">
        {known?.hasData === 'no'
          ? 'The document gives this type no data, and none came.'
          : 'No data came.'}
      </p>
    )
  }
  return (
    <>
      <dl className="fields">
        {declared.map((one) => (
          <FieldRow
            key={one.key}
            said={one}
            name={one.key}
            value={field(data, one.key)}
            format={one.format}
            state={dataFieldState(one, field(data, one.key), brand)}
          />
        ))}
        {extras.slice(0, extrasDrawn).map((key) => (
          <FieldRow
            key={key}
            said={null}
            name={key}
            value={field(data, key)}
            format={guessFormat(field(data, key), key)}
            state={extraFieldState(known !== undefined)}
          />
        ))}
      </dl>
      {extras.length > extrasDrawn && (
        <p className="ticket-empty">
          {counted(extras.length - extrasDrawn, 'more field is', 'more fields are')} under Body.
        </p>
      )}
    </>
  )
}

function keysOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.keys(value)
    : []
}
