import { type ComponentProps, type ReactNode, useId } from 'react'
import { Field } from '#kit/Field.tsx'
import { ErrorText } from '#kit/Note.tsx'
import { type ExportAsk, type WhatDraft, type WhatErrors, choices } from './selection.ts'

interface Props {
  ask: ExportAsk
  draft: WhatDraft
  errors: WhatErrors
  onChange: (change: Partial<WhatDraft>) => void
}

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="grid gap-4">
      <legend className="py-2 font-bold">{title}</legend>
      {children}
    </fieldset>
  )
}

interface CheckProps extends ComponentProps<'input'> {
  label: string
  about: string
}

/** A checkbox with its label and, less visible, what it stands for. */
export function Check({ label, about, ...input }: CheckProps) {
  return (
    <label className="check flex items-start gap-4 wrap-anywhere">
      <input type="checkbox" {...input} />
      <span>
        {label} <span className="text-s text-dim">{about}</span>
      </span>
    </label>
  )
}

/** Which deliveries to export: all, a filter, the selected ones or a trace. */
export function WhatFields({ ask, draft, errors, onChange }: Props) {
  const id = useId()
  return (
    <Part title="Which deliveries">
      <div className="grid gap-3">
        {choices(ask).map(({ which, label }) => (
          <label key={which} className="check flex items-start gap-4 wrap-anywhere">
            <input
              type="radio"
              name={id}
              checked={draft.which === which}
              onChange={() => onChange({ which })}
            />
            <span>{label}</span>
          </label>
        ))}
      </div>
      <ErrorText error={errors.selected} />
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
    </Part>
  )
}
