import type { Session } from 'electron'
import { isAppUrl } from './app-url.ts'

/** The interface's page may write text to the clipboard: otherwise it could not copy from a menu command or a dialog that keeps the focus. */
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

/** Both handlers are required, since some permissions are only checked and never requested. */
export function refusePermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, respond) => respond(false))
  session.setPermissionCheckHandler(() => false)
  session.setDevicePermissionHandler(() => false)
}

/** Files are saved only through Tabscope's own dialog. */
export function refuseDownloads(session: Session): void {
  session.on('will-download', (event) => event.preventDefault())
}

/**
 * Call it while `session-created` is emitted: the constructor has requested the dictionary of the system's language from a third party, and the download
 * starts in a later task unless the list is empty. `spellcheck: false` does not prevent it. On macOS the list has no effect, and nothing is downloaded.
 */
export function disableSpellChecker(session: Session): void {
  session.setSpellCheckerLanguages([])
  session.setSpellCheckerEnabled(false)
}
