import { say } from '../platform/toasts.ts'
import { useDeliveries } from './deliveries.ts'
import { filterFault } from './filter.ts'

/**
 * Whether the filter field contains a valid filter. If not, shows a message and focuses the field. The list then still shows the results of
 * an earlier filter, so an action on all of them would affect the wrong deliveries.
 */
export function readableFilter(): boolean {
  if (filterFault(useDeliveries.getState().text) === null) return true
  say('invalid', 'Fix the filter error first, or clear the filter.', { about: 'filter' })
  document.querySelector<HTMLElement>('[data-filter-field]')?.focus()
  return false
}
