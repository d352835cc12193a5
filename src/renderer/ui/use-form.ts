import { useState } from 'react'
import { useAction, type Action } from '../platform/use-client.ts'

/** `Errors`: the error of each field, by its name. A field without one, or with null, is valid. */
export interface Form<Errors = unknown> extends Action {
  /** The errors to show: none until the user has submitted the form. */
  readonly shown: Partial<Errors>
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
    submit: () => {
      setSubmitted(true)
      if (Object.values(errors).every((error) => error === null)) action.start()
    },
  }
}
