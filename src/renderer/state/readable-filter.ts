import { say } from '../platform/toasts.ts'
import { useDeliveries } from './deliveries.ts'
import { filterFault } from './filter.ts'

/**
 * Whether the filter field holds a valid filter. Where it does not, says so and moves the focus there: the list is that of an earlier filter,
 * and an action on all of it would include deliveries that are not meant.
 */
export function readableFilter(): boolean {
  if (filterFault(useDeliveries.getState().text) === null) return true
  say('invalid', 'Fix the filter error first, or clear the filter.', { about: 'filter' })
  document.querySelector<HTMLElement>('[data-filter-field]')?.focus()
  return false
}
