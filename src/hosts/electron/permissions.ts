import type { Session } from 'electron'

/**
 * Refuses every permission: the interface needs no camera, no position, no notification, no device. Both handlers are
 * needed, since some permissions are only ever checked and never asked for.
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
