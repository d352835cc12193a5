import { useState, type ChangeEvent } from 'react'
import { useAction, type Action } from './use-action.ts'

/** `Errors`: the error of each field, by its name. A field without one, or with null, is valid. */
export interface Form<Errors = unknown> extends Action {
  /** The errors to show: none until the user has submitted the form. */
  readonly shown: Partial<Errors>
  readonly submitted: boolean
  readonly submit: () => void
}

/** The state of a form. The errors of its fields are shown once the user submits it, and it runs if there are none. */
export function useForm<Errors extends object>(
  errors: Errors,
  run: () => Promise<void>,
): Form<Errors> {
  const [submitted, setSubmitted] = useState(false)
  const action = useAction(run)
  return {
    ...action,
    shown: submitted ? errors : {},
    submitted,
    submit: () => {
      setSubmitted(true)
      if (Object.values(errors).every((error) => error === null || error === undefined))
        action.start()
    },
  }
}

type TextName<Draft> = { [N in keyof Draft]: string extends Draft[N] ? N : never }[keyof Draft]

/** Connects fields to the texts of a draft: `{...field('port')}` gives a field the text and the error of that name, and stores what is typed. */
export function fieldsOf<Draft extends object>(
  draft: Draft,
  errors: { readonly [N in keyof Draft]?: string | null },
  change: (part: Partial<Draft>) => void,
) {
  return <N extends TextName<Draft>>(name: N) => ({
    value: draft[name],
    error: errors[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `name` is that of a text
      change({ [name]: target.value } as Partial<Draft>),
  })
}
