/**
 * Whether the system opens links into the app. The packages register the scheme, a checkout does not; what an AppImage declares is registered
 * only where a program has integrated it into the desktop. `handler` asks the system for the name of the app that opens them; '': none.
 */
export function areLinksRegistered(
  isPackaged: boolean,
  isAppImage: boolean,
  handler: () => string,
): boolean {
  return isPackaged && (!isAppImage || handler() !== '')
}

/** Whether a word means to be a link into the app. The package registers the scheme. */
export function isLinkLike(word: string): boolean {
  return /^tabscope:/i.test(word)
}

/** Every system reads a scheme in either case (RFC 3986, 3.1); all else is as it stands. */
const scheme = /^tabscope:\/\//i
const delivery = /^delivery\/([1-9]\d{0,15})$/
const log = /^log\/([1-9]\d{0,15})$/
const deliveryOfLog = /^log\/([1-9]\d{0,15})\/delivery\/([1-9]\d{0,15})$/

/**
 * Where in the interface a link leads (`#/deliveries/12`); null: it is none of ours. It names a delivery, a log, or a delivery in a log, and
 * nothing beside it: no port, user, query, fragment, escape, further slash or leading zero. Anybody may write one and have it opened, so it
 * shows something and does nothing else.
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
  found: RegExpExecArray | null,
  address: (ids: readonly string[]) => string,
): string | null {
  const ids = found?.slice(1)
  // Beyond that a number is no longer exact, and another delivery would be shown.
  return ids?.every((id) => Number.isSafeInteger(Number(id))) ? address(ids) : null
}
