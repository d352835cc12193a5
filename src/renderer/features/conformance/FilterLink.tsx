import { formatCount as count } from '#shared/text/format.ts'
import { filterAddress } from '../../routes/deliveries.ts'
import { closeDelivery } from '../../state/deliveries.ts'
import { printValue } from '#contract/filter/print.ts'

interface Props {
  readonly type: string | null
  /** Of the findings; undefined: all deliveries of the type. */
  readonly code?: string
  /** How many there are. */
  readonly of: number
}

/** How many deliveries there are, which leads to the list of them. */
export function FilterLink({ type, code, of }: Props) {
  const filter = filterFor(type, code)
  return (
    // What was open before need not be among them.
    <a href={filterAddress(filter)} title={`List them: ${filter}`} onClick={closeDelivery}>
      {count(of)}
    </a>
  )
}

/** The filter for the deliveries of a type, and of a kind of finding among them. */
export function filterFor(type: string | null, code?: string): string {
  const ofType = type === null ? 'none' : literal(type)
  return code === undefined ? `type:${ofType}` : `type:${ofType} finding:${literal(code)}`
}

/** A type may be called anything: in quotation marks neither `none` nor an asterisk means more than it says. */
function literal(text: string): string {
  return printValue({ text, quoted: text.includes('*') || text.toLowerCase() === 'none' })
}
