import { deliveryAddress } from './address.ts'
import type { Scope } from './scope/scope.ts'

/**
 * The link to a delivery: `tabscope://delivery/12` where the host has its links opened here, else the address of this page. It has no token: who
 * follows it must have the interface open already, or a token of their own.
 */
export function linkTo(
  id: number,
  scope: Scope,
  host: { readonly links: boolean; readonly page: string },
): string {
  if (host.links) {
    return scope === null ? `tabscope://delivery/${id}` : `tabscope://log/${scope}/delivery/${id}`
  }
  const page = new URL(host.page)
  return `${page.origin}${page.pathname}${deliveryAddress(id, scope)}`
}
