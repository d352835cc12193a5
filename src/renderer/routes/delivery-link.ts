import { isHttp } from '#shared/text/address.ts'
import { deliveryAddress } from './deliveries.ts'
import type { Scope } from '../state/scope.ts'

/**
 * The link to a delivery: `tabscope://delivery/12` where the host has its links opened here, else the address of this page. It has no token: who
 * follows it must have the interface open already, or a token of their own. Null: nothing would open it, since the page is one of the desktop
 * app, whose address means nothing outside.
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
