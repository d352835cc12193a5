import { eventTypeOf, eventTypes } from '#catalogue/catalogue.ts'
import { Button } from '#kit/Button.tsx'
import { escapeControls } from '#kit/text/visible.ts'
import { EventIcon } from './EventIcon.tsx'

interface Props {
  types: readonly string[]
  onChange: (types: readonly string[]) => void
}

export function TypeChoice({ types, onChange }: Props) {
  const known = eventTypes.map(({ type }) => type)
  return (
    <fieldset>
      <legend className="py-2 text-s font-semibold text-mid">
        Types{' '}
        <span className="font-normal text-dim">
          {types.length === 0 && 'all, as none is selected'}
        </span>
      </legend>
      <div className="flex flex-wrap gap-2">
        {[...new Set([...known, ...types])].map((type) => (
          <Button
            key={type}
            small
            className="mono"
            aria-pressed={types.includes(type)}
            icon={<EventIcon name={eventTypeOf(type)?.view.icon ?? 'circle-question-mark'} />}
            onClick={() =>
              onChange(
                types.includes(type) ? types.filter((each) => each !== type) : [...types, type],
              )
            }
          >
            {escapeControls(type)}
          </Button>
        ))}
      </div>
    </fieldset>
  )
}
