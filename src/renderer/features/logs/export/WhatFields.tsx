import { type ComponentProps, type ReactNode, useId } from 'react'
import { Text, Grid, Stack } from '../../../ui/Layout.tsx'
import { Field, SelectField } from '../../../ui/Field.tsx'
import { type ExportAsk, type WhatDraft, type WhatErrors, type When, choices } from './selection.ts'

interface Props {
  readonly ask: ExportAsk
  readonly draft: WhatDraft
  readonly errors: WhatErrors
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

interface CheckProps extends ComponentProps<'input'> {
  readonly label: string
  readonly about: string
}

/** A checkbox with its label and, less visible, what it stands for. */
export function Check({ label, about, ...input }: CheckProps) {
  return (
    <label className="check anywhere">
      <input type="checkbox" {...input} />
      <span>
        {label}{' '}
        <Text tone="dim" size="s">
          {about}
        </Text>
      </span>
    </label>
  )
}

/** Which deliveries to export: all, a filter, the selected ones or a trace, optionally within a time range. */
export function WhatFields({ ask, draft, errors, onChange }: Props) {
  const id = useId()
  return (
    <Part title="Which deliveries">
      <Stack gap={3}>
        {choices(ask).map(({ which, label }) => (
          <label key={which} className="check anywhere">
            <input
              type="radio"
              name={id}
              checked={draft.which === which}
              onChange={() => onChange({ which })}
            />
            <span>{label}</span>
          </label>
        ))}
      </Stack>
      {errors.selected !== undefined && (
        <p className="field-error" role="alert">
          {errors.selected}
        </p>
      )}
      {draft.which === 'filter' && (
        <Field
          label="Filter"
          data-mono
          value={draft.filter}
          maxLength={4000}
          placeholder="type:ORDER_PLACED verdict:invalid"
          hint={draft.filter.trim() === '' ? 'If empty, all deliveries are exported.' : undefined}
          error={errors.filter}
          onChange={(event) => onChange({ filter: event.target.value })}
          // Enter in the filter must not start the export.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      )}
      {draft.which !== 'none' && (
        <SelectField
          label="Received"
          value={draft.when}
          onChange={(event) => {
            const when = times.find(([value]) => value === event.target.value)?.[0] ?? 'any'
            onChange({ when, asOf: Date.now() })
          }}
        >
          {times.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
      )}
      {draft.which !== 'none' && draft.when === 'between' && (
        <Grid columns="1 1" gap={5} className="export-times">
          <Field
            label="From"
            type="datetime-local"
            step={1}
            value={draft.from}
            hint="If empty, from the first."
            onChange={(event) => onChange({ from: event.target.value })}
          />
          <Field
            label="Until"
            type="datetime-local"
            step={1}
            value={draft.to}
            hint="If empty, to the last."
            error={errors.to}
            onChange={(event) => onChange({ to: event.target.value })}
          />
        </Grid>
      )}
    </Part>
  )
}
