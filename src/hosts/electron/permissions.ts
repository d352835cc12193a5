import type { Session } from 'electron'
import { isAppUrl } from './app-url.ts'

/**
 * Refuses every permission except one: the interface's page may write text to the clipboard. Without it the page could copy only by a selection and a click,
 * not from a menu command or a dialog that keeps the focus.
 */
export function permitCopying(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, respond, details) =>
    respond(isCopying(permission, details.requestingUrl, details.isMainFrame)),
  )
  session.setPermissionCheckHandler((_contents, permission, origin, details) =>
    isCopying(permission, origin, details.isMainFrame),
  )
  session.setDevicePermissionHandler(() => false)
}

function isCopying(permission: string, requestingUrl: string, isMainFrame: boolean): boolean {
  return permission === 'clipboard-sanitized-write' && isMainFrame && isAppUrl(requestingUrl)
}

/**
 * Refuses every permission: pages need no camera, location, notifications or devices. Both handlers are required, since some permissions are only checked and
 * never requested.
 */
export function refusePermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, respond) => respond(false))
  session.setPermissionCheckHandler(() => false)
  session.setDevicePermissionHandler(() => false)
}

/** Prevents every download: files are saved only through Tabscope's own dialog. */
export function refuseDownloads(session: Session): void {
  session.on('will-download', (event) => event.preventDefault())
}

/**
 * Turns off the spell checker of a session. Call it while `session-created` is emitted: by then the session's constructor has requested the dictionary of the
 * system's language, and the download from a third party starts in a later task unless the list of languages is empty. The preference `spellcheck: false` of a
 * page does not prevent it. On macOS the list has no effect, and the system's own checker downloads nothing.
 */
export function disableSpellChecker(session: Session): void {
  session.setSpellCheckerLanguages([])
  session.setSpellCheckerEnabled(false)
}
