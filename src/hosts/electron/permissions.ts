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

/**
 * Turns off the spelling checker of a session. Call it while `session-created` is emitted: the session's constructor has by then asked for the
 * dictionary of the system's language, and the download from a third party starts in a later task unless the list of languages is empty. The
 * preference `spellcheck: false` of a page does not prevent it. On macOS the list has no effect, and the system's own checker downloads nothing.
 */
export function disableSpellChecker(session: Session): void {
  session.setSpellCheckerLanguages([])
  session.setSpellCheckerEnabled(false)
}
