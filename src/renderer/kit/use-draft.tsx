import { createContext, use, useState, type ChangeEvent } from 'react'
import { anyNumber, numberOf, wholeNumber } from './field-checks.ts'
import { Field } from './Field.tsx'
import { useForm, type Form } from './use-form.ts'

type Errors<D> = { readonly [N in keyof D]?: string | null }

/** Whether the form around a field was submitted: only then it shows its error. */
export const SubmittedContext = createContext(false)

/** A form whose draft is the input of its call. A number that cannot be read is NaN, so that the form cannot be submitted. */
export function useDraft<D extends object>(
  initial: D | (() => D),
  errorsOf: (draft: D) => Errors<D>,
  run: (draft: D) => Promise<void>,
) {
  const [draft, setDraft] = useState(initial)
  const set = (change: Partial<D>): void => setDraft((before) => ({ ...before, ...change }))
  const form: Form<Errors<D>> = useForm(
    { ...errorsOf(draft), ...(hasUnreadable(draft) && { '': 'A number cannot be read.' }) },
    () => run(draft),
  )
  return {
    ...form,
    draft,
    set,
    /** For a control with `value` and `onChange`. */
    value: <N extends keyof D>(name: N) => ({
      value: draft[name],
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `name` is a key of the draft
      onChange: (value: D[N]) => set({ [name]: value } as unknown as Partial<D>),
    }),
    /** For `Field`, with the error of that name. */
    text: <N extends keyof D>(name: N) => ({
      value: String(draft[name]),
      error: form.shown[name] ?? null,
      onChange: ({ target }: ChangeEvent<HTMLInputElement>) =>
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- used with names of texts
        set({ [name]: target.value } as unknown as Partial<D>),
    }),
  }
}

/** Whether a number in it could not be read from its field. */
export function hasUnreadable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return Number.isNaN(value)
  return Object.values(value).some(hasUnreadable)
}

interface NumberProps {
  label: string
  hint?: string
  unit?: string
  /** What one unit is in the draft: 1000 for seconds in milliseconds. */
  factor?: number
  /** In units. */
  min: number
  max: number
  whole?: boolean
  className?: string
  value: number
  onChange: (value: number) => void
}

/** A number in a form. Keeps what is typed, and reports NaN while it is not allowed. */
export function NumberField(props: NumberProps) {
  const { factor = 1, min, max, whole = false, value, onChange, unit, ...field } = props
  const [text, setText] = useState(() => String(rounded(value / factor)))
  const submitted = use(SubmittedContext)
  const check = whole ? wholeNumber : anyNumber
  return (
    <Field
      {...field}
      inputMode={whole ? 'numeric' : 'decimal'}
      value={text}
      error={submitted ? check(text, min, max) : null}
      {...(unit !== undefined && { after: <span className="flex-none text-dim">{unit}</span> })}
      onChange={({ target }) => {
        setText(target.value)
        const isValid = check(target.value, min, max) === null
        const next = isValid ? rounded(numberOf(target.value) * factor) : Number.NaN
        onChange(factor > 1 ? Math.round(next) : next)
      }}
    />
  )
}

/** Without the error of a binary fraction: 57 % is 0.57. */
function rounded(value: number): number {
  return Number(value.toPrecision(12))
}
