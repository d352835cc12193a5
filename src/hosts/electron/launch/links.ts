/**
 * Whether the system opens `tabscope:` links in this app. Packages register the scheme, a checkout does not. The declaration in an AppImage takes effect only
 * after a program has integrated it into the desktop. `handler` returns the name of the app that opens such links, '' for none.
 */
export function areLinksRegistered(
  isPackaged: boolean,
  isAppImage: boolean,
  handler: () => string,
): boolean {
  return isPackaged && (!isAppImage || handler() !== '')
}

/** Whether an argument looks like a link into the app. The package registers the scheme. */
export function isLinkLike(argument: string): boolean {
  return /^tabscope:/i.test(argument)
}

/** A scheme is case-insensitive (RFC 3986, 3.1); the rest is not. */
const scheme = /^tabscope:\/\//i
const delivery = /^delivery\/([1-9]\d{0,15})$/
const log = /^log\/([1-9]\d{0,15})$/
const deliveryOfLog = /^log\/([1-9]\d{0,15})\/delivery\/([1-9]\d{0,15})$/

/**
 * The interface address of a link (`#/deliveries/12`); null if the link is invalid. A link names a delivery, a log, or a delivery in a log, and nothing else:
 * no port, user, query, fragment, escape, further slash or leading zero. Anyone can write a link and get it opened, so it only shows something and has no other
 * effect.
 */
export function addressOfLink(link: string): string | null {
  if (!scheme.test(link)) return null
  const path = link.replace(scheme, '')
  return (
    addressOf(delivery.exec(path), ([id]) => `#/deliveries/${id}`) ??
    addressOf(log.exec(path), ([id]) => `#/logs/${id}`) ??
    addressOf(deliveryOfLog.exec(path), ([id, of]) => `#/logs/${id}/deliveries/${of}`)
  )
}

function addressOf(
  match: RegExpExecArray | null,
  toAddress: (ids: readonly string[]) => string,
): string | null {
  const ids = match?.slice(1)
  // Larger numbers are not exact, so another delivery would be shown.
  return ids?.every((id) => Number.isSafeInteger(Number(id))) ? toAddress(ids) : null
}
