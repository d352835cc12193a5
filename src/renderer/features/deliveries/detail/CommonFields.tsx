import { eventTypeOf } from '#catalogue/catalogue.ts'
import { commonFields, field } from '#catalogue/payload.ts'
import type { Payload } from '#catalogue/payload.ts'
import { fits } from '#catalogue/field-type.ts'
import { counted } from '../../../components/text/numbers.ts'
import { FieldRow } from './FieldRow.tsx'
import { formatOf, guessFormat } from './field-format.ts'
import { commonFieldState, extraFieldState } from './field-state.ts'

const extrasDrawn = 50

/** The properties that every payload has, in the document's order; then those it does not know. */
export function CommonFields({ payload }: { readonly payload: Payload }) {
  const target = eventTypeOf(payload.type)?.target
  const extras = Object.keys(payload).filter((key) => !commonFields.some((one) => one.key === key))
  return (
    <section className="common-fields" aria-labelledby="common-fields">
      <h3 className="section-title" id="common-fields">
        Every event has
      </h3>
      <div className="plain-card">
        <dl className="fields">
          {commonFields.map((one) => (
            <FieldRow
              key={one.key}
              said={one}
              name={one.key}
              value={field(payload, one.key)}
              format={formatOf(one.key)}
              state={commonFieldState(one, field(payload, one.key), target)}
              instead={one.key === 'data' ? fieldsOf(payload.data) : undefined}
            />
          ))}
          {extras.slice(0, extrasDrawn).map((key) => (
            <FieldRow
              key={key}
              said={null}
              name={key}
              value={field(payload, key)}
              format={guessFormat(field(payload, key), key)}
              state={extraFieldState(true)}
            />
          ))}
        </dl>
      </div>
    </section>
  )
}

/** How many fields the card above draws; undefined for data that has none to draw. */
function fieldsOf(data: unknown): string | undefined {
  return fits('object', data)
    ? `${counted(Object.keys(Object(data)).length, 'field', 'fields')}, see above`
    : undefined
}
