import { CallError, sentence } from '../../platform/call-error.ts'

export interface FormErrors {
  readonly name?: string | undefined
  readonly slug?: string | undefined
  /** What belongs to no field. */
  readonly whole?: string | undefined
}

/** The refusal of the engine, beside the field that it is about. */
export function formErrors(error: unknown): FormErrors {
  if (error === null) return {}
  const words = sentence(error)
  if (!(error instanceof CallError)) return { whole: words }
  if (error.code === 'path_taken') return { slug: words }
  const place = JSON.stringify(error.details ?? '')
  if (error.code === 'bad_input' && place.includes('slug')) return { slug: words }
  if (error.code === 'bad_input' && place.includes('name')) return { name: words }
  return { whole: words }
}
