import { eventTypeOf, eventTypes } from '#catalogue/catalogue.ts'
import { EventIcon } from '../../components/EventIcon.tsx'
import { visible } from '../../components/text/visible.ts'

interface Props {
  /** Empty: all. */
  readonly types: readonly string[]
  readonly onChange: (types: readonly string[]) => void
}

/** Which event types: all, or some. */
export function TypeChoice({ types, onChange }: Props) {
  const known = eventTypes.map(({ type }) => type)
  const shown = [...known, ...types.filter((type) => !known.includes(type))]
  return (
    <fieldset className="type-choice">
      <legend>
        Types <span className="dim">{types.length === 0 ? 'none chosen: all of them' : ''}</span>
      </legend>
      <div className="type-choice-list">
        {shown.map((type) => (
          <label key={type} className="type-choice-one">
            <input
              type="checkbox"
              checked={types.includes(type)}
              onChange={({ target }) =>
                onChange(target.checked ? [...types, type] : types.filter((each) => each !== type))
              }
            />
            <EventIcon name={eventTypeOf(type)?.view.icon ?? 'circle-question-mark'} />
            <span className="mono">{visible(type)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
