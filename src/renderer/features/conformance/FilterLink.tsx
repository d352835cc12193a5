import { count } from '../../components/text/numbers.ts'
import { filterAddress } from '../deliveries/address.ts'
import { closeDelivery } from '../deliveries/store.ts'
import { filterFor } from './filter-for.ts'

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
