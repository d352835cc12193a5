import type { Unseen } from '../watch.ts'
import type { EngineState } from '../engine-mirror.ts'
import { safeText } from '../safe-text.ts'

/** Each state has its own icon. `attention`: a delivery failed since the user last looked. */
export type TrayIcon = 'idle' | 'listening' | 'online' | 'attention'

export type TrayAction =
  | { readonly kind: 'show' | 'copy' | 'open-tunnel' | 'close-tunnel' | 'listen' | 'quit' }
  | { readonly kind: 'background'; readonly on: boolean }

export type TrayItem =
  | { readonly kind: 'separator' }
  | { readonly kind: 'status'; readonly label: string }
  | {
      readonly kind: 'action'
      readonly label: string
      readonly command: TrayAction
      readonly enabled: boolean
      /** Undefined: not a checkbox. */
      readonly checked?: boolean
    }

export interface TrayView {
  readonly icon: TrayIcon
  readonly tooltip: string
  readonly items: readonly TrayItem[]
}

const separator: TrayItem = { kind: 'separator' }

/** `lastKnown`: null until the engine has first opened. While it is not live, only the settings in it still apply. */
export function trayView(lastKnown: EngineState | null, isLive: boolean, unseen: Unseen): TrayView {
  const state = isLive ? lastKnown : null
  const listener = lastKnown === null ? 'Starting' : describeListener(state)
  const tunnel = describeTunnel(state)
  const unseenText = describeUnseen(unseen)
  const background = lastKnown?.settings.background === true
  const items: TrayItem[] = [
    ...[listener, tunnel, unseenText]
      .filter((fact) => fact !== null)
      .map((label) => ({ kind: 'status', label }) as const),
    separator,
    action('Show Tabscope', { kind: 'show' }),
    action('Copy webhook URL', { kind: 'copy' }, copyUrl(state) !== null),
    ...(state === null || state.listener.state === 'listening'
      ? []
      : [action('Start listener', { kind: 'listen' }, state.listener.state !== 'starting')]),
    tunnelItem(state),
    separator,
    {
      ...action(
        'Keep capturing in the background',
        { kind: 'background', on: !background },
        state !== null,
      ),
      checked: background,
    },
    separator,
    action('Quit Tabscope', { kind: 'quit' }),
  ]
  return {
    icon: iconFor(state, unseen.count),
    // Windows cuts a long tooltip, so the longest part is last.
    tooltip: ['Tabscope', listener, unseenText, tunnel].filter((fact) => fact !== null).join('\n'),
    items,
  }
}

/** Of the first endpoint: public while a tunnel is open, else local. */
export function copyUrl(state: EngineState | null): { url: string; isPublic: boolean } | null {
  const [endpoint] = state?.endpoints ?? []
  if (state === null || endpoint === undefined) return null
  const { tunnel, listener } = state
  if (tunnel.url !== null) return { url: `${tunnel.url}/hooks/${endpoint.slug}`, isPublic: true }
  if (listener.state !== 'listening') return null
  return { url: `${listener.origin}/hooks/${endpoint.slug}`, isPublic: false }
}

function action(label: string, command: TrayAction, enabled = true): TrayItem & { kind: 'action' } {
  return { kind: 'action', label, command, enabled }
}

function iconFor(state: EngineState | null, unseen: number): TrayIcon {
  if (unseen > 0) return 'attention'
  if (state?.listener.state !== 'listening') return 'idle'
  return state.tunnel.state === 'online' ? 'online' : 'listening'
}

function describeListener(state: EngineState | null): string {
  if (state === null) return 'Not listening'
  const { listener } = state
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

function describeTunnel(state: EngineState | null): string | null {
  if (state === null) return null
  const { state: tunnelState, url } = state.tunnel
  const isLost = state.tunnelWasUp
  const host = safeText((url === null ? null : URL.parse(url)?.host) ?? '')
  const at = host === '' ? '' : `: ${host}`
  switch (tunnelState) {
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

function describeUnseen({ count, isAll }: Unseen): string | null {
  if (count === 0) return null
  const countText = isAll ? String(count) : `At least ${count}`
  return count === 1 && isAll
    ? '1 failed verdict since you last looked'
    : `${countText} failed verdicts since you last looked`
}

function tunnelItem(state: EngineState | null): TrayItem {
  return state === null || state.tunnel.state === 'off'
    ? action('Open tunnel', { kind: 'open-tunnel' }, state?.listener.state === 'listening')
    : action('Close tunnel', { kind: 'close-tunnel' })
}

/** Relative to the app's folder. macOS colors a template image itself, for light and dark menu bars. */
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
