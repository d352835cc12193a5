import type { Log } from '#engine/platform/ports.ts'
import { APP_URL, LOGS_URL } from '../app-url.ts'
import type { EngineHost } from '../engine/host.ts'
import type { Handed } from './handed-over.ts'
import type { InterfaceWindow } from '../window/interface-window.ts'
import { addressOfLink } from './links.ts'

/** So much of a link that is refused stands in the log. */
const shownOfRefused = 120

/** Brings the window forward with what was handed over: event logs are imported and listed, a link is followed. */
export function takeHandedWith(
  engine: Pick<EngineHost, 'importLogs'>,
  window: Pick<InterfaceWindow, 'show'>,
  log: Log,
): (handed: Handed) => void {
  return ({ files, link }) => {
    const address = link === null ? null : addressOfLink(link)
    if (link !== null && address === null) {
      log.warn(`A link that is none of Tabscope's was refused: ${link.slice(0, shownOfRefused)}`)
    }
    if (files.length > 0) engine.importLogs(files)
    window
      .show(address === null ? (files.length > 0 ? LOGS_URL : undefined) : APP_URL + address)
      .catch((error: unknown) => log.error('What was handed over was not shown', error))
  }
}
