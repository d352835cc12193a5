import type { Picture } from '../picture.ts'
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

/** What the tray shows. `picture` null: the engine is not open. `unseen`: failed verdicts since somebody last looked. */
export function trayView(picture: Picture | null, unseen: number): TrayView {
  const facts = [listenerFact(picture), tunnelFact(picture), unseenFact(unseen)].filter(
    (fact) => fact !== null,
  )
  const background = picture?.settings.background === true
  const items: TrayItem[] = [
    ...facts.map((label) => ({ kind: 'fact', label }) as const),
    line,
    action('Show Tabscope', { kind: 'show' }),
    action('Copy webhook URL', { kind: 'copy' }, copyUrl(picture) !== null),
    ...(picture === null || picture.listener.state === 'listening'
      ? []
      : [action('Start the listener', { kind: 'listen' }, picture.listener.state !== 'starting')]),
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
  return { icon: iconOf(picture, unseen), tooltip: ['Tabscope', ...facts].join('\n'), items }
}

/** Where the first endpoint's deliveries go: from the web while a tunnel is open, else on this machine. Null: nothing listens, or there is none. */
export function copyUrl(picture: Picture | null): { url: string; isPublic: boolean } | null {
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

function iconOf(picture: Picture | null, unseen: number): TrayIcon {
  if (unseen > 0) return 'attention'
  if (picture?.listener.state !== 'listening') return 'idle'
  return picture.tunnel.state === 'online' ? 'online' : 'listening'
}

function listenerFact(picture: Picture | null): string {
  if (picture === null) return 'Starting'
  const { listener } = picture
  switch (listener.state) {
    case 'listening':
      return listener.failing === null
        ? `Listening on ${listener.origin}`
        : `Listening on ${listener.origin}, but nothing can be kept`
    case 'starting':
      return 'The listener starts'
    case 'failed':
      return `Not listening: port ${listener.port} could not be opened`
    case 'stopped':
      return 'Not listening'
  }
}

function tunnelFact(picture: Picture | null): string | null {
  if (picture === null) return null
  const { state, url } = picture.tunnel
  const host = safeText((url === null ? null : URL.parse(url)?.host) ?? '')
  const at = host === '' ? '' : `: ${host}`
  switch (state) {
    case 'off':
      return null
    case 'opening':
      return 'The tunnel opens'
    case 'online':
      return `Tunnel online${at}`
    case 'degraded':
      return `Something is wrong with the tunnel${at}`
    case 'offline':
      return 'The tunnel is lost'
    case 'reconnecting':
      return 'The tunnel is lost and opens anew'
  }
}

function unseenFact(unseen: number): string | null {
  if (unseen === 0) return null
  return unseen === 1
    ? '1 failed verdict since you last looked'
    : `${unseen} failed verdicts since you last looked`
}

function tunnelItem(picture: Picture | null): TrayItem {
  return picture === null || picture.tunnel.state === 'off'
    ? action('Open the tunnel', { kind: 'open-tunnel' }, picture?.listener.state === 'listening')
    : action('Close the tunnel', { kind: 'close-tunnel' })
}
