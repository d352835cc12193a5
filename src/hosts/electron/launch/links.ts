/** Packages register the scheme, a checkout does not, and an AppImage only once it is integrated into the desktop. `handler`: the app for such links, or ''. */
export function areLinksRegistered(
  isPackaged: boolean,
  isAppImage: boolean,
  handler: () => string,
): boolean {
  return isPackaged && (!isAppImage || handler() !== '')
}

export function isLinkLike(argument: string): boolean {
  return /^tabscope:/i.test(argument)
}

/** A scheme is case-insensitive (RFC 3986, 3.1); the rest is not. */
const scheme = /^tabscope:\/\//i
const delivery = /^delivery\/([1-9]\d{0,15})$/
const log = /^log\/([1-9]\d{0,15})$/
const deliveryOfLog = /^log\/([1-9]\d{0,15})\/delivery\/([1-9]\d{0,15})$/

/**
 * `#/deliveries/12`; null if the link is invalid. A link names a delivery, a log, or a delivery in a log, and nothing else: no port, user, query, fragment,
 * escape, further slash or leading zero. Anyone can get a link opened, so it only shows something.
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
