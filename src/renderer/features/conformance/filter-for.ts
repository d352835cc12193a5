import { printValue } from '#contract/filter/print.ts'

/** The filter for the deliveries of a type, and of a kind of finding among them. */
export function filterFor(type: string | null, code?: string): string {
  const ofType = type === null ? 'none' : literal(type)
  return code === undefined ? `type:${ofType}` : `type:${ofType} finding:${literal(code)}`
}

/** A type may be called anything: in quotation marks neither `none` nor an asterisk means more than it says. */
function literal(text: string): string {
  return printValue({ text, quoted: text.includes('*') || text.toLowerCase() === 'none' })
}
