import type { Unseen } from '../watch.ts'
import type { EngineState } from '../engine-mirror.ts'
import { safeText } from '../safe-text.ts'

/** Each has its icon. `attention`: something failed since somebody last looked. */
export type TrayIcon = 'idle' | 'listening' | 'online' | 'attention'

export type TrayAction =
  | { readonly kind: 'show' | 'copy' | 'open-tunnel' | 'close-tunnel' | 'listen' | 'quit' }
  | { readonly kind: 'background'; readonly on: boolean }

export type TrayItem =
  | { readonly kind: 'line' }
  /** A sentence that says how things are. */
  | { readonly kind: 'fact'; readonly label: string }
  | {
      readonly kind: 'action'
      readonly label: string
      readonly does: TrayAction
      readonly enabled: boolean
      /** Undefined: it is no choice. */
      readonly checked?: boolean
    }

export interface TrayView {
  readonly icon: TrayIcon
  readonly tooltip: string
  readonly items: readonly TrayItem[]
}

const line: TrayItem = { kind: 'line' }

/** So many characters of a tooltip does Windows show. */
const TOOLTIP = 127

/**
 * What the tray shows. `picture` null: the engine has not opened yet. `isLive` false: it is gone, and only what the user has chosen still holds.
 * `unseen`: failed verdicts since somebody last looked.
 */
export function trayView(known: EngineState | null, isLive: boolean, unseen: Unseen): TrayView {
  const picture = isLive ? known : null
  const listener = known === null ? 'Starting' : listenerFact(picture)
  const seen = unseenFact(unseen)
  const background = known?.settings.background === true
  const items: TrayItem[] = [
    ...[listener, tunnelFact(picture, true), seen]
      .filter((fact) => fact !== null)
      .map((label) => ({ kind: 'fact', label }) as const),
    line,
    action('Show Tabscope', { kind: 'show' }),
    action('Copy webhook URL', { kind: 'copy' }, copyUrl(picture) !== null),
    ...(picture === null || picture.listener.state === 'listening'
      ? []
      : [action('Start listener', { kind: 'listen' }, picture.listener.state !== 'starting')]),
    tunnelItem(picture),
    line,
    {
      ...action(
        'Keep capturing in the background',
        { kind: 'background', on: !background },
        picture !== null,
      ),
      checked: background,
    },
    line,
    action('Quit Tabscope', { kind: 'quit' }),
  ]
  return { icon: iconOf(picture, unseen.count), tooltip: tooltipOf(picture, listener, seen), items }
}

/** What is cut off where it is too long is the least of it: the tunnel's name, then its state. */
function tooltipOf(picture: EngineState | null, listener: string, seen: string | null): string {
  const of = (withName: boolean): string =>
    ['Tabscope', listener, seen, tunnelFact(picture, withName)]
      .filter((fact) => fact !== null)
      .join('\n')
  const whole = of(true)
  const short = whole.length <= TOOLTIP ? whole : of(false)
  return short.length <= TOOLTIP ? short : `${short.slice(0, TOOLTIP - 1)}…`
}

/** Where the first endpoint's deliveries go: from the web while a tunnel is open, else on this machine. Null: nothing listens, or there is none. */
export function copyUrl(picture: EngineState | null): { url: string; isPublic: boolean } | null {
  const [endpoint] = picture?.endpoints ?? []
  if (picture === null || endpoint === undefined) return null
  const { tunnel, listener } = picture
  if (tunnel.url !== null) return { url: `${tunnel.url}/hooks/${endpoint.slug}`, isPublic: true }
  if (listener.state !== 'listening') return null
  return { url: `${listener.origin}/hooks/${endpoint.slug}`, isPublic: false }
}

function action(label: string, does: TrayAction, enabled = true): TrayItem & { kind: 'action' } {
  return { kind: 'action', label, does, enabled }
}

function iconOf(picture: EngineState | null, unseen: number): TrayIcon {
  if (unseen > 0) return 'attention'
  if (picture?.listener.state !== 'listening') return 'idle'
  return picture.tunnel.state === 'online' ? 'online' : 'listening'
}

function listenerFact(picture: EngineState | null): string {
  if (picture === null) return 'Not listening'
  const { listener } = picture
  switch (listener.state) {
    case 'listening':
      return listener.failing === null
        ? `Listening on ${listener.origin}`
        : `Listening on ${listener.origin}, storage is failing`
    case 'starting':
      return 'Listener starting'
    case 'failed':
      return `Not listening: port ${listener.port} could not be opened`
    case 'stopped':
      return 'Not listening'
  }
}

function tunnelFact(picture: EngineState | null, withName: boolean): string | null {
  if (picture === null) return null
  const { state } = picture.tunnel
  const url = withName ? picture.tunnel.url : null
  const isLost = picture.tunnelWasUp
  const host = safeText((url === null ? null : URL.parse(url)?.host) ?? '')
  const at = host === '' ? '' : `: ${host}`
  switch (state) {
    case 'off':
      return null
    case 'opening':
      return 'Tunnel opening'
    case 'online':
      return `Tunnel online${at}`
    case 'degraded':
      return `Tunnel degraded${at}`
    case 'offline':
      return isLost ? 'Tunnel lost' : 'The tunnel could not be opened'
    case 'reconnecting':
      return isLost ? 'Tunnel lost, reconnecting' : 'Tunnel opening'
  }
}

function unseenFact({ count, isAll }: Unseen): string | null {
  if (count === 0) return null
  const many = isAll ? String(count) : `At least ${count}`
  return count === 1 && isAll
    ? '1 failed verdict since you last looked'
    : `${many} failed verdicts since you last looked`
}

function tunnelItem(picture: EngineState | null): TrayItem {
  return picture === null || picture.tunnel.state === 'off'
    ? action('Open tunnel', { kind: 'open-tunnel' }, picture?.listener.state === 'listening')
    : action('Close tunnel', { kind: 'close-tunnel' })
}

/** Where the picture of a state is, under the folder of the app. macOS colours a template itself, for a light and a dark bar. */
export function iconFile(icon: TrayIcon, platform: NodeJS.Platform): string {
  switch (platform) {
    case 'darwin':
      return `resources/tray/mac/${icon}Template.png`
    case 'win32':
      return `resources/tray/windows/${icon}.ico`
    default:
      return `resources/tray/linux/${icon}.png`
  }
}
