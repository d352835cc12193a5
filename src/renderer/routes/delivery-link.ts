import { isHttp } from '#shared/text/address.ts'
import { deliveryAddress } from './deliveries.ts'
import type { Scope } from '../state/scope.ts'

/**
 * The link to a delivery: `tabscope://delivery/12` if the host handles such links, otherwise the URL of this page. It contains no token, so it only
 * works where the interface is already open. Null in a desktop app without link handling, because the URL of its page does not work anywhere else.
 */
export function linkTo(
  id: number,
  scope: Scope,
  host: { readonly links: boolean; readonly page: string },
): string | null {
  if (host.links) {
    return scope === null ? `tabscope://delivery/${id}` : `tabscope://log/${scope}/delivery/${id}`
  }
  const page = new URL(host.page)
  if (!isHttp(page)) return null
  return `${page.origin}${page.pathname}${deliveryAddress(id, scope)}`
}
