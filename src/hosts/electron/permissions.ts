import type { Session } from 'electron'
import { isAppUrl } from './app-url.ts'

/**
 * Refuses every permission but one: the interface's own page may put text on the clipboard. Without it only a click in the page could copy, by
 * a selection, and neither a command of the menu nor anything in a dialog that keeps the focus.
 */
export function permitCopying(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer, details) =>
    answer(isCopying(permission, details.requestingUrl, details.isMainFrame)),
  )
  session.setPermissionCheckHandler((_contents, permission, origin, details) =>
    isCopying(permission, origin, details.isMainFrame),
  )
  session.setDevicePermissionHandler(() => false)
}

function isCopying(permission: string, asker: string, isMainFrame: boolean): boolean {
  return permission === 'clipboard-sanitized-write' && isMainFrame && isAppUrl(asker)
}

/**
 * Refuses every permission: no page needs a camera, a position, a notification, a device. Both handlers are needed, since some permissions are
 * only ever checked and never asked for.
 */
export function refusePermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  session.setPermissionCheckHandler(() => false)
  session.setDevicePermissionHandler(() => false)
}

/** Keeps every download from being made: what is saved, is saved through a dialog of ours. */
export function refuseDownloads(session: Session): void {
  session.on('will-download', (event) => event.preventDefault())
}
