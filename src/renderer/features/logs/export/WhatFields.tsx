import { useId } from 'react'
import type { ReactNode } from 'react'
import { Text, Grid, Stack } from '../../../ui/Layout.tsx'
import { Field, SelectField } from '../../../ui/Field.tsx'
import type { ExportAsk, WhatDraft, WhatFaults, When } from './what.ts'
import { choices } from './what.ts'

interface Props {
  readonly ask: ExportAsk
  readonly draft: WhatDraft
  readonly faults: WhatFaults
  readonly onChange: (change: Partial<WhatDraft>) => void
}

const times = [
  ['any', 'Any time'],
  ['hour', 'Last hour'],
  ['day', 'Last 24 hours'],
  ['between', 'Between two times'],
] as const satisfies readonly (readonly [When, string])[]

interface PartProps {
  readonly title: string
  readonly children: ReactNode
}

/** One part of what is asked before an export. */
export function Part({ title, children }: PartProps) {
  return (
    <Stack as="fieldset" gap={4}>
      <Text as="legend" pad={[2, 0]} weight="bold">
        {title}
      </Text>
      {children}
    </Stack>
  )
}

/** Which deliveries: all, a filter, those that are chosen, or a trace; and of those, from when to when. */
export function WhatFields({ ask, draft, faults, onChange }: Props) {
  const id = useId()
  return (
    <Part title="Which deliveries">
      <Stack gap={3}>
        {choices(ask).map(({ which, words }) => (
          <label key={which} className="check anywhere">
            <input
              type="radio"
              name={id}
              checked={draft.which === which}
              onChange={() => onChange({ which })}
            />
            <span>{words}</span>
          </label>
        ))}
      </Stack>
      {faults.chosen !== undefined && (
        <p className="field-error" role="alert">
          {faults.chosen}
        </p>
      )}
      {draft.which === 'filter' && (
        <Field
          label="Filter"
          data-mono
          value={draft.filter}
          maxLength={4000}
          placeholder="type:ORDER_PLACED verdict:invalid"
          hint={draft.filter.trim() === '' ? 'Empty: all of them.' : undefined}
          error={faults.filter}
          onChange={(event) => onChange({ filter: event.target.value })}
          // Whoever is done with a filter has not said that it may go out.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      )}
      <SelectField
        label="Received"
        value={draft.when}
        onChange={(event) => {
          const when = times.find(([value]) => value === event.target.value)?.[0] ?? 'any'
          onChange({ when, asOf: Date.now() })
        }}
      >
        {times.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </SelectField>
      {draft.when === 'between' && (
        <Grid columns="1 1" gap={5} className="export-times">
          <Field
            label="From"
            type="datetime-local"
            step={1}
            value={draft.from}
            hint="Empty: from the first."
            onChange={(event) => onChange({ from: event.target.value })}
          />
          <Field
            label="Until"
            type="datetime-local"
            step={1}
            value={draft.to}
            hint="Empty: to the last."
            error={faults.to}
            onChange={(event) => onChange({ to: event.target.value })}
          />
        </Grid>
      )}
    </Part>
  )
}
